# Fuzzing of the readers: with TAUT_FUZZ every tests/fuzz/fuzz_*.c becomes a program. All is instrumented but the
# kernels, which see no bytes of a file and would take minutes to compile.

option(TAUT_FUZZ "Build the fuzzers of tests/fuzz; needs clang and its runtime" OFF)
if(NOT TAUT_FUZZ)
    return()
endif()

set(fuzz_checks address,undefined)
foreach(target IN ITEMS taut-objects tautio)
    target_compile_options(${target} PRIVATE
        -fsanitize=fuzzer-no-link,${fuzz_checks} -fno-sanitize-recover=all -fno-omit-frame-pointer)
endforeach()

add_custom_target(fuzzers)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
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
