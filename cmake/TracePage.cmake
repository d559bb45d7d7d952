# Builds the page of web/trace by Vite and embeds it: ${embedded_page}, a file to include. npm installs what package-lock.json pins, in
# the build folder, once for each change of it.
find_program(NPM_PROGRAM npm)
find_program(NODE_PROGRAM NAMES node nodejs)
if(NOT NPM_PROGRAM OR NOT NODE_PROGRAM)
  message(FATAL_ERROR "The trace page of web/trace is built by Node.js 18 or later and npm: install nodejs and npm (scripts/install-deps.sh does)")
endif()

set(page_source ${CMAKE_SOURCE_DIR}/web/trace)
set(page_build ${CMAKE_BINARY_DIR}/web/trace)
set(embedded_page ${CMAKE_CURRENT_BINARY_DIR}/EmbeddedPage.inc)
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${page_source}/src/*)
list(APPEND page_sources ${page_source}/index.html ${page_source}/vite.config.ts ${page_source}/tsconfig.json)

add_custom_command(OUTPUT ${page_build}/packages.stamp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${page_build}
  COMMAND ${CMAKE_COMMAND} -E copy ${page_source}/package.json ${page_source}/package-lock.json ${page_build}
  COMMAND ${CMAKE_COMMAND} -E chdir ${page_build} ${NPM_PROGRAM} ci --silent --no-audit --no-fund --ignore-scripts
  COMMAND ${CMAKE_COMMAND} -E touch ${page_build}/packages.stamp
  DEPENDS ${page_source}/package.json ${page_source}/package-lock.json
  COMMENT "Installing what the trace page is built with" VERBATIM)
# The sources are copied because packages are looked for in the folders above them.
add_custom_command(OUTPUT ${embedded_page}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${page_build}/src ${page_build}/dist
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${page_source}/src ${page_build}/src
  COMMAND ${CMAKE_COMMAND} -E copy ${page_source}/index.html ${page_source}/vite.config.ts ${page_source}/tsconfig.json ${page_build}
  COMMAND ${CMAKE_COMMAND} -E chdir ${page_build} ${NODE_PROGRAM} node_modules/typescript/bin/tsc --noEmit
  COMMAND ${CMAKE_COMMAND} -E chdir ${page_build} ${NODE_PROGRAM} node_modules/vite/bin/vite.js build --logLevel warn
  COMMAND ${CMAKE_COMMAND} -DOUT=${embedded_page} -DFILES=${page_build}/dist/index.html -DROOT=${page_build}/dist
          -P ${CMAKE_SOURCE_DIR}/cmake/EmbedData.cmake
  DEPENDS ${page_sources} ${page_build}/packages.stamp ${CMAKE_SOURCE_DIR}/cmake/EmbedData.cmake
  COMMENT "Building the trace page" VERBATIM)
