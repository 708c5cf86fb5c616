# What `cmake --install` puts where, and the package that find_package(eco) finds: eco::solver with the
# libraries it stands on. Two headers are public; the rest of src/ is not installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/eco)
install(TARGETS eco RUNTIME)
if(TARGET eco-train)
  install(TARGETS eco-train RUNTIME)
endif()
foreach(library core io weights solver)
  set_target_properties(eco_${library} PROPERTIES EXPORT_NAME ${library})
  install(TARGETS eco_${library} EXPORT ecoTargets ARCHIVE)
endforeach()
install(FILES include/eco/solver.h src/core/base/error.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/eco)
install(EXPORT ecoTargets NAMESPACE eco:: DESTINATION ${package_folder})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/ecoConfig.cmake @ONLY CONTENT
  "include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ZLIB)
include(\${CMAKE_CURRENT_LIST_DIR}/ecoTargets.cmake)
")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ecoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ecoConfig.cmake ${CMAKE_BINARY_DIR}/ecoConfigVersion.cmake
        DESTINATION ${package_folder})
