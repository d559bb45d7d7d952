# inflight_npm_packages(SOURCE BUILD COMMENT): BUILD/packages.stamp, made when npm has installed in BUILD what
# SOURCE/package-lock.json pins.
function(inflight_npm_packages source build comment)
  find_program(NPM_PROGRAM npm REQUIRED)
  add_custom_command(OUTPUT ${build}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${build}
    COMMAND ${CMAKE_COMMAND} -E copy ${source}/package.json ${source}/package-lock.json ${build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${build} ${NPM_PROGRAM} ci --silent --no-audit --no-fund --ignore-scripts
    COMMAND ${CMAKE_COMMAND} -E touch ${build}/packages.stamp
    DEPENDS ${source}/package.json ${source}/package-lock.json
    COMMENT ${comment} VERBATIM)
endfunction()
