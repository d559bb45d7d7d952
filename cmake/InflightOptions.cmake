# Compiler settings and the helper that declares one library a folder.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without these, ccache doesn't keep what precompiled headers are used for.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
elseif(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(-fuse-ld=lld)
endif()

set(INFLIGHT_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")
option(INFLIGHT_FUZZ "Build the libFuzzer programs of tests/fuzz; needs clang" OFF)
if(INFLIGHT_FUZZ)
  if(NOT INFLIGHT_SANITIZE)
    set(INFLIGHT_SANITIZE address,undefined)
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(INFLIGHT_SANITIZE)
  # Assertions find what a sanitizer can't see; -O1 builds in half the time.
  add_compile_options(-fsanitize=${INFLIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined
                      -g1 -O1 -UNDEBUG)
  # LLVM's libraries are built without RTTI, which the vptr check needs.
  add_compile_options(-fno-sanitize=vptr,function)
  add_link_options(-fsanitize=${INFLIGHT_SANITIZE})
endif()

add_compile_options(-Wno-deprecated-declarations -fno-rtti -fno-exceptions -Wall -Wextra -Wno-unused-parameter)
# LLVM's headers are not ours to warn about.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/src)

include(LinkLLVM)

# inflight_library(NAME sources... [LINK libraries...])
# A static library inflight_NAME.
function(inflight_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(inflight_${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(inflight_${name} PUBLIC ${ARG_LINK} inflight_llvm)
endfunction()

# inflight_precompile(TARGET headers...): the headers are read once for all files of the target.
function(inflight_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Equal headers give equal files, which ccache needs.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# inflight_for_shared(TARGET): code with thread-local variables that goes into libinflight.so.
function(inflight_for_shared target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
endfunction()
