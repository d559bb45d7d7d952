# The page of web/trace, embedded: ${embedded_page}, a file to include. Built by Vite with what npm installs in the build folder, as
# package-lock.json pins it, once for each change of it; or a page that is there already; or none, and --html is an error that says so.
set(INFLIGHT_PAGE AUTO CACHE STRING "The trace page: ON (needs Node.js 18 and npm), OFF, AUTO (ON where both are), or the file of a built page")
find_program(NPM_PROGRAM npm)
find_program(NODE_PROGRAM NAMES node nodejs)
set(page_kind ${INFLIGHT_PAGE})
if(page_kind STREQUAL AUTO)
  set(page_kind OFF)
  if(NPM_PROGRAM AND NODE_PROGRAM)
    execute_process(COMMAND ${NODE_PROGRAM} --version OUTPUT_VARIABLE node_version ERROR_QUIET)
    if(node_version MATCHES "^v([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 18)
      set(page_kind ON)
    endif()
  endif()
endif()
message(STATUS "Trace page (inflight trace --html): ${page_kind} (INFLIGHT_PAGE)")

set(no_page ${CMAKE_CURRENT_BINARY_DIR}/no-page)
file(CONFIGURE OUTPUT ${no_page}/EmbeddedPage.inc CONTENT "{\"\", nullptr},\n")
if(page_kind STREQUAL OFF)
  set(embedded_page ${no_page}/EmbeddedPage.inc)
  return()
elseif(NOT page_kind STREQUAL ON)
  get_filename_component(page_file "${page_kind}" ABSOLUTE BASE_DIR ${CMAKE_BINARY_DIR})
  if(NOT EXISTS "${page_file}" OR IS_DIRECTORY "${page_file}")
    message(FATAL_ERROR "INFLIGHT_PAGE is ON, OFF, AUTO or the file of a built page, not '${page_kind}'")
  endif()
  get_filename_component(page_root "${page_file}" DIRECTORY)
  set(embedded_page ${CMAKE_CURRENT_BINARY_DIR}/given-page/EmbeddedPage.inc)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/given-page)
  add_custom_command(OUTPUT ${embedded_page}
    COMMAND ${CMAKE_COMMAND} -DOUT=${embedded_page} -DFILES=${page_file} -DROOT=${page_root} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedData.cmake
    DEPENDS ${page_file} ${CMAKE_SOURCE_DIR}/cmake/EmbedData.cmake VERBATIM)
  return()
elseif(NOT NPM_PROGRAM OR NOT NODE_PROGRAM)
  message(FATAL_ERROR "The trace page of web/trace is built by Node.js 18 or later and npm: install nodejs and npm "
    "(scripts/install-deps.sh does), or build without it: -DINFLIGHT_PAGE=OFF")
endif()

set(page_source ${CMAKE_SOURCE_DIR}/web/trace)
set(page_build ${CMAKE_BINARY_DIR}/web/trace)
set(embedded_page ${CMAKE_CURRENT_BINARY_DIR}/page/EmbeddedPage.inc)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/page)
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${page_source}/src/*)
list(APPEND page_sources ${page_source}/index.html ${page_source}/vite.config.ts ${page_source}/tsconfig.json)

include(NpmPackages)
inflight_npm_packages(${page_source} ${page_build} "Installing what the trace page is built with")
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
