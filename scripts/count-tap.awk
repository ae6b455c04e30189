# Reads the TAP output of one program; prints "passed failed skipped".
# A plan that is missing or not met (a crash) counts as a failure, and so does a bad exit code (-v code=N) without a
# failed case. cmocka writes a skipped case as "not ok N # SKIP name".
/^(not )?ok .*# SKIP/  { skipped++; next }
/^ok /                 { passed++; next }
/^not ok /             { failed++; next }
/^1\.\.[0-9]+$/        { planned += substr($0, 4); plans++ }
END {
    if (!plans || planned != passed + failed + skipped || (code != 0 && !failed)) failed++
    print passed + 0, failed + 0, skipped + 0
}
