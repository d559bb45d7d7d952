# How programs get LLVM, MLIR and LLD: the targets inflight_llvm, inflight_mlir and inflight_lld. Tests and benchmarks link LLVM's shared
# libraries, which is quick. What is installed links what it needs of the archives (inflight_static_llvm): it starts in a third of the
# time, as nothing of the 200 MB of shared libraries is relocated, and runs where there is no LLVM.

# Both linkers find symbols in archives whatever their order.
set(static_llvm_default OFF)
if(NOT INFLIGHT_SANITIZE AND EXISTS "${LLVM_LIBRARY_DIR}/libLLVMSupport.a" AND (MOLD_PROGRAM OR CMAKE_CXX_COMPILER_ID MATCHES Clang))
  set(static_llvm_default ON)
endif()
option(INFLIGHT_STATIC_LLVM "Link the command and the libraries with LLVM's archives" ${static_llvm_default})
message(STATUS "LLVM in the command and the libraries: ${INFLIGHT_STATIC_LLVM} (INFLIGHT_STATIC_LLVM)")

# inflight_choose(NAME SHARED shared libraries... STATIC files...): by the property of the program that is linked.
function(inflight_choose name)
  cmake_parse_arguments(ARG "" "" "SHARED;STATIC" ${ARGN})
  set(is_static $<BOOL:$<TARGET_PROPERTY:INFLIGHT_LINKS_ARCHIVES>>)
  add_library(${name} INTERFACE)
  foreach(library ${ARG_SHARED})
    target_link_libraries(${name} INTERFACE $<$<NOT:${is_static}>:${library}>)
  endforeach()
  foreach(file ${ARG_STATIC})
    target_link_libraries(${name} INTERFACE $<${is_static}:${file}>)
  endforeach()
endfunction()

# The small library links archives whatever the option says.
execute_process(
  COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles amdgpuasmparser amdgpudisassembler mcdisassembler
          object debuginfodwarf lto dtlto option supportlsp irreader frontendopenmp
  OUTPUT_VARIABLE llvm_files OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
separate_arguments(llvm_files UNIX_COMMAND "${llvm_files}")
list(FILTER llvm_files EXCLUDE REGEX "libPolly")
file(GLOB mlir_files ${LLVM_LIBRARY_DIR}/libMLIR*.a)
list(FILTER mlir_files EXCLUDE REGEX "libMLIR(CAPI|Test|.*Test)")
inflight_choose(inflight_llvm SHARED LLVM STATIC ${llvm_files} ZLIB::ZLIB zstd::libzstd_shared)
inflight_choose(inflight_mlir SHARED MLIR STATIC ${mlir_files})
inflight_choose(inflight_lld SHARED lldELF lldCommon STATIC $<TARGET_FILE:lldELF> $<TARGET_FILE:lldCommon>)

# inflight_link_archives(TARGET): what it needs of LLVM becomes part of it.
function(inflight_link_archives target)
  set_target_properties(${target} PROPERTIES INFLIGHT_LINKS_ARCHIVES ON)
  target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/OtherTargets.cpp)
  # LLVM has a weak reference to __morestack; libgcc's would be linked.
  target_link_options(${target} PRIVATE -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,--defsym=__morestack=0)
  # A library shares the runtime with the program that loads it. A program starts a tenth faster with its own: the loader
  # looks up no symbol of it for the tables of virtual functions.
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL EXECUTABLE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
function(inflight_static_llvm target)
  if(INFLIGHT_STATIC_LLVM)
    inflight_link_archives(${target})
  endif()
endfunction()
