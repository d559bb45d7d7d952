// As HIP 5.2's header has it: clang's own headers declared these once.
#pragma once
typedef _Float16 __2f16 __attribute__((ext_vector_type(2)));
#if !__CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__
extern "C" __device__ _Float16 __llvm_amdgcn_rcp_f16(_Float16);
#endif
