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
  # Assertions find what a sanitizer can't see. -O0 builds in half the time of -O1, and no wrong access is optimized away.
  add_compile_options(-fsanitize=${INFLIGHT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined
                      -g1 -O0 -UNDEBUG)
  # LLVM's libraries are built without RTTI, which the vptr check needs.
  add_compile_options(-fno-sanitize=vptr,function)
  add_link_options(-fsanitize=${INFLIGHT_SANITIZE})
  if(INFLIGHT_SANITIZE MATCHES address)
    # Python and HIP programs load our libraries: the runtime is a library as well, which tests preload there.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} --print-file-name=libclang_rt.asan-x86_64.so
                    OUTPUT_VARIABLE INFLIGHT_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(runtime_folder ${INFLIGHT_SANITIZER_RUNTIME} DIRECTORY)
    add_link_options(-shared-libsan -Wl,-rpath,${runtime_folder})
  endif()
endif()

option(INFLIGHT_COVERAGE "Count which lines run (clang's source-based coverage)" OFF)
if(INFLIGHT_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

add_compile_options(-Wno-deprecated-declarations -fno-rtti -fno-exceptions -Wall -Wextra -Wno-unused-parameter)
# What refers to something that is gone, as far as the compiler sees: LLVM_LIFETIME_BOUND stands on what refers to its object or argument.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Werror=dangling)
endif()
# LLVM's headers are not ours to warn about.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/src)

include(LinkLLVM)

# Off where there is ccache, which doesn't find what another folder has compiled with precompiled headers.
if(CCACHE_PROGRAM)
  set(precompile_default OFF)
else()
  set(precompile_default ON)
endif()
option(INFLIGHT_PRECOMPILE "Precompile LLVM's headers for all folders: builds from nothing take half the time" ${precompile_default})

# What nearly every file reads of LLVM and the standard library: half of most files' compilation.
set(inflight_headers
  <algorithm> <array> <atomic> <cmath> <cstdint> <functional> <map> <memory> <mutex> <numeric> <optional> <set> <string> <thread>
  <vector> <llvm/ADT/BitVector.h> <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h> <llvm/ADT/MapVector.h> <llvm/ADT/STLExtras.h>
  <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringSwitch.h> <llvm/MC/MCInst.h>
  <llvm/MC/MCInstrInfo.h> <llvm/MC/MCRegisterInfo.h> <llvm/Support/Endian.h> <llvm/Support/Error.h> <llvm/Support/FileSystem.h>
  <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h> <llvm/Support/MathExtras.h> <llvm/Support/MemoryBuffer.h>
  <llvm/Support/Path.h> <llvm/Support/raw_ostream.h>)

# inflight_precompile(TARGET headers... | OF target): the headers are read once for all files of the target; or they are those of another
# target with the same settings.
function(inflight_precompile target)
  if(ARGV1 STREQUAL OF)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Equal headers give equal files, which ccache needs.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# inflight_precompile_llvm(TARGET NAME): if wanted, those above; NAME stands for the settings of the targets that share them.
function(inflight_precompile_llvm target name)
  get_property(first GLOBAL PROPERTY inflight_precompiled_${name})
  if(NOT INFLIGHT_PRECOMPILE)
  elseif(first)
    inflight_precompile(${target} OF ${first})
  else()
    inflight_precompile(${target} ${inflight_headers})
    set_property(GLOBAL PROPERTY inflight_precompiled_${name} ${target})
  endif()
endfunction()

# inflight_library(NAME sources... [LINK libraries...] [FOR_SHARED] [OWN_HEADERS] [HOT])
# A static library inflight_NAME. FOR_SHARED: it has thread-local variables and goes into libinflight.so. OWN_HEADERS: what is precompiled
# for it is said elsewhere. HOT: it is optimized with a sanitizer, too.
function(inflight_library name)
  cmake_parse_arguments(ARG "FOR_SHARED;OWN_HEADERS;HOT" "" "LINK" ${ARGN})
  add_library(inflight_${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(inflight_${name} PUBLIC ${ARG_LINK} inflight_llvm)
  set(settings program)
  if(ARG_FOR_SHARED)
    inflight_for_shared(inflight_${name})
    set(settings shared)
  endif()
  if(ARG_HOT AND INFLIGHT_SANITIZE)
    target_compile_options(inflight_${name} PRIVATE -O1)
    string(APPEND settings _hot)
  endif()
  if(NOT ARG_OWN_HEADERS)
    inflight_precompile_llvm(inflight_${name} ${settings})
  endif()
endfunction()

function(inflight_for_shared target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
endfunction()
