# Installation: libraries, headers, pkg-config files and CMake package, all movable to another prefix.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

file(RELATIVE_PATH PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")
configure_file(cmake/taut.pc.in taut.pc @ONLY)
configure_file(cmake/tautio.pc.in tautio.pc @ONLY)
configure_file(cmake/taut-config.cmake.in taut-config.cmake COPYONLY)
write_basic_package_version_file(taut-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS taut taut-shared tautio tautio-shared EXPORT taut-targets)
install(EXPORT taut-targets NAMESPACE taut:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/taut.pc ${PROJECT_BINARY_DIR}/tautio.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES include/taut.h include/taut_io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
