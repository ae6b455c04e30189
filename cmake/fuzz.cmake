# Fuzzing of the readers. Every tests/fuzz/fuzz_*.c becomes a program that replays inputs; `replays` builds them all.
# With TAUT_FUZZ each becomes a fuzzer too. Then everything is instrumented except the kernels, because they see no
# bytes of a file and would take minutes to compile.

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
add_custom_target(replays)
foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM name)
    string(REPLACE fuzz_ replay_ name ${name})
    add_executable(${name} EXCLUDE_FROM_ALL ${source} tests/fuzz/replay.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
    target_include_directories(${name} PRIVATE include src)
    target_link_libraries(${name} PRIVATE tautio taut Threads::Threads m)
    add_dependencies(replays ${name})
endforeach()

option(TAUT_FUZZ "Build the fuzzers of tests/fuzz; needs clang and its runtime" OFF)
if(NOT TAUT_FUZZ)
    return()
endif()

set(fuzz_checks address,undefined)
foreach(target IN ITEMS taut-objects tautio-objects)
    target_compile_options(${target} PRIVATE
        -fsanitize=fuzzer-no-link,${fuzz_checks} -fno-sanitize-recover=all -fno-omit-frame-pointer)
endforeach()

add_custom_target(fuzzers)
foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM name)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
    target_include_directories(${name} PRIVATE include src)
    target_link_libraries(${name} PRIVATE tautio taut Threads::Threads m)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link,${fuzz_checks} -fno-sanitize-recover=all)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,${fuzz_checks})
    add_dependencies(fuzzers ${name})
endforeach()
