# The CMake package: find_package(gammascope) gives gammascope::core, gammascope::measure, …
include(CMakePackageConfigHelpers)
install(EXPORT gammascope-targets NAMESPACE gammascope:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/gammascope")
configure_package_config_file(cmake/gammascope-config.cmake.in "${PROJECT_BINARY_DIR}/gammascope-config.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/gammascope")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gammascope-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gammascope-config.cmake" "${PROJECT_BINARY_DIR}/gammascope-config-version.cmake"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/gammascope")
