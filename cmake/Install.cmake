# cmake --install, and cpack's packages: a .deb and a tarball.
# Also below /usr, where Debian has a folder for each architecture: the command looks for HIP's library in ../lib/inflight.
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Folder of libraries")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Manual pages and completion, by the command itself.
set(documents ${CMAKE_BINARY_DIR}/share)
add_custom_command(OUTPUT ${documents}/stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${documents}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}/completion
  COMMAND inflight man ${documents}/man1
  COMMAND inflight completion bash > ${documents}/completion/inflight
  COMMAND inflight completion zsh > ${documents}/completion/_inflight
  COMMAND inflight completion fish > ${documents}/completion/inflight.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${documents}/stamp
  DEPENDS inflight COMMENT "Writing manual pages and completion" VERBATIM)
add_custom_target(inflight_documents ALL DEPENDS ${documents}/stamp)

install(TARGETS inflight RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS inflight_shared EXPORT inflight LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/inflight/inflight.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/inflight)
# In a folder of its own: AMD's libraries have the same names.
install(TARGETS inflight_hip LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/inflight NAMELINK_SKIP)
install(FILES ${CMAKE_BINARY_DIR}/lib/libamdhip64.so.5 ${CMAKE_BINARY_DIR}/lib/libamdhip64.so.6
        ${CMAKE_BINARY_DIR}/lib/libhiprtc.so ${CMAKE_BINARY_DIR}/lib/libhiprtc.so.5 ${CMAKE_BINARY_DIR}/lib/libhiprtc.so.6
        ${CMAKE_BINARY_DIR}/lib/libhiprtc.so.7 ${CMAKE_BINARY_DIR}/lib/libhsa-runtime64.so ${CMAKE_BINARY_DIR}/lib/libhsa-runtime64.so.1
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/inflight)

install(EXPORT inflight NAMESPACE inflight:: FILE inflight-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/inflight)
configure_package_config_file(cmake/inflight-config.cmake.in ${CMAKE_BINARY_DIR}/inflight-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/inflight)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/inflight-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/inflight-config.cmake ${CMAKE_BINARY_DIR}/inflight-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/inflight)

install(DIRECTORY ${documents}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${documents}/completion/inflight DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${documents}/completion/_inflight DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${documents}/completion/inflight.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY python/inflight python/inflight_scan DESTINATION ${CMAKE_INSTALL_DATADIR}/inflight/python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY data/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/inflight)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN demo EXCLUDE)

set(CPACK_PACKAGE_NAME inflight)
set(CPACK_PACKAGE_VENDOR "The Inflight project")
set(CPACK_PACKAGE_CONTACT "The Inflight project <inflight@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for AMD Instinct kernels that needs no GPU")
set(CPACK_PACKAGE_DESCRIPTION "Compiles MLIR kernels for gfx90a, gfx942 and gfx950, executes code objects on a model of the compute unit,
 checks and rewrites their waits, and shows where their time goes.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
string(TOLOWER "inflight-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" CPACK_PACKAGE_FILE_NAME)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
# What --sandbox uses.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS bubblewrap)
# What the files need of the release that they are built on, which later releases have, too.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
include(CPack)
