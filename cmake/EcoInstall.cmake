# What `cmake --install` puts where, and the packages that find_package(eco) and pkg-config find:
# eco::solver with the libraries it stands on. The headers of include/ are public; nothing of src/ is
# installed.
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
install(DIRECTORY include/eco DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ecoTargets NAMESPACE eco:: DESTINATION ${package_folder})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/ecoConfig.cmake @ONLY CONTENT
  "include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(ZLIB)
find_dependency(hwy)
include(\${CMAKE_CURRENT_LIST_DIR}/ecoTargets.cmake)
")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ecoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ecoConfig.cmake ${CMAKE_BINARY_DIR}/ecoConfigVersion.cmake
        DESTINATION ${package_folder})

# Found from where the file lies, since --prefix may be given as late as at installation.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH to_prefix /${pc_folder} /)
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/eco.pc @ONLY CONTENT
  "prefix=\${pcfiledir}/@to_prefix@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: eco
Description: Routes (TSP, CVRP) from plain coordinates; static, C++20
Version: @PROJECT_VERSION@
Requires: zlib libhwy
Libs: -L\${libdir} -leco_solver -leco_io -leco_weights -leco_core -pthread
Cflags: -I\${includedir}
")
install(FILES ${CMAKE_BINARY_DIR}/eco.pc DESTINATION ${pc_folder})
