# The library. Kernel sources are compiled once for each instruction set, all others once.

set(layers base mesh constraints model collide world)
list(TRANSFORM layers PREPEND src/ OUTPUT_VARIABLE layer_folders)
list(TRANSFORM layer_folders APPEND /*.c OUTPUT_VARIABLE layer_globs)
file(GLOB plain_sources CONFIGURE_DEPENDS ${layer_globs})
file(GLOB kernel_sources CONFIGURE_DEPENDS src/constraints/*.c src/*/*_kernel.c)
list(FILTER kernel_sources EXCLUDE REGEX "_plain\\.c$")
list(REMOVE_DUPLICATES kernel_sources)
list(REMOVE_ITEM plain_sources ${kernel_sources})

string(REPLACE ";" "|" wanted_sets "${TAUT_SIMD_SETS}")

# The instruction sets besides scalar (and double, the lane type that serves as an oracle).
set(flags_SSE2 -msse2)
set(flags_AVX2 -mavx2 -Wno-psabi) # lanes wider than a register are never passed by call
set(flags_AVX512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)
set(flags_NEON)
if(TAUT_SCALAR_ONLY)
    set(simd_sets)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(simd_sets SSE2 AVX2 AVX512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(simd_sets NEON)
endif()
list(FILTER simd_sets INCLUDE REGEX "^(${wanted_sets})$")

add_library(taut-objects OBJECT ${plain_sources})
set(object_targets taut-objects)
foreach(set IN LISTS simd_sets)
    target_compile_definitions(taut-objects PRIVATE TT_HAVE_${set}=1)
endforeach()
if(TAUT_SIMDE)
    set(flags_AVX512 -DTT_SIMDE_AVX512=1)
    target_compile_definitions(taut-objects PRIVATE TT_SIMDE_AVX512=1)
endif()

if(kernel_sources)
    foreach(set IN ITEMS SCALAR DOUBLE ${simd_sets})
        string(TOLOWER taut-kernels-${set} target)
        add_library(${target} OBJECT ${kernel_sources})
        target_compile_definitions(${target} PRIVATE TT_ISA_${set}=1)
        target_compile_options(${target} PRIVATE ${flags_${set}})
        list(APPEND object_targets ${target})
    endforeach()
endif()

foreach(target IN LISTS object_targets)
    target_include_directories(${target} PRIVATE include src)
    target_link_libraries(${target} PRIVATE Threads::Threads)
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
endforeach()

add_library(taut STATIC ${objects})
add_library(taut-shared SHARED ${objects})
set_target_properties(taut-shared PROPERTIES
    OUTPUT_NAME taut EXPORT_NAME shared VERSION ${PROJECT_VERSION} SOVERSION 0)
foreach(target IN ITEMS taut taut-shared)
    target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} PRIVATE Threads::Threads m)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
endforeach()
add_library(taut::taut ALIAS taut)
add_library(taut::shared ALIAS taut-shared)

# Reading and writing files is a library of its own, a client of taut.h. It shares the plain helpers of src/base with
# the core: the static library uses those of libtaut.a, and the shared library has hidden copies of its own.
file(GLOB io_sources CONFIGURE_DEPENDS src/io/*.c)
add_library(tautio-objects OBJECT ${io_sources})
target_include_directories(tautio-objects PRIVATE include src)
set(io_helpers src/base/error.c src/base/exact.c src/base/memory.c)

add_library(tautio STATIC $<TARGET_OBJECTS:tautio-objects>)
add_library(tautio-shared SHARED $<TARGET_OBJECTS:tautio-objects> ${io_helpers})
set_target_properties(tautio PROPERTIES EXPORT_NAME io LINKER_LANGUAGE C)
set_target_properties(tautio-shared PROPERTIES
    OUTPUT_NAME tautio EXPORT_NAME io-shared VERSION ${PROJECT_VERSION} SOVERSION 0
    INSTALL_RPATH "$ORIGIN") # libtaut.so is beside it
target_include_directories(tautio-shared PRIVATE include src)
target_link_libraries(tautio PUBLIC taut PRIVATE m)
target_link_libraries(tautio-shared PUBLIC taut-shared PRIVATE m)
add_library(taut::io ALIAS tautio)
add_library(taut::io-shared ALIAS tautio-shared)

include(cmake/fuzz.cmake)
