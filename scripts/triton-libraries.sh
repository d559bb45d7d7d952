#!/usr/bin/env bash
# Tests of libraries of Triton kernels on Inflight, some parameters of each function, made smaller; what fails is held against a list with reasons.
#   scripts/triton-libraries.sh liger|fla|flaggems|flash-attention|aiter CLONE [option of triton-unit-tests.py ...] [FILE ...]
# CLONE is a clone of github.com/linkedin/Liger-Kernel, fla-org/flash-linear-attention, flagos-ai/FlagGems, Dao-AILab/flash-attention or ROCm/aiter.
# FILE: only these files of tests, from CLONE. Needs a build, and PYTHON (python3) with torch, triton, pytest and what the library imports:
# transformers and datasets, einops, sqlalchemy and pyyaml, pandas.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
library=$1 clone=$(cd "$2" && pwd)
shift 2
configurations=2  # of a kernel that the autotuner tries; the first needn't fit the chip
options=() files=()
for argument; do
  if [[ $argument == *.py ]]; then files+=("$argument"); else options+=("$argument"); fi
done
case $library in
  liger)
    tests=$clone/test/transformers sources=$clone/src
    # cuTile and CuTe are for NVIDIA; the monkey patches are of transformers' models and have no kernels of their own
    not='cutedsl|cutile|cute_moe|monkey_patch|trainer_integration'
    limits=(V=4096 T=256 D=1024 S=512 P=256 R=256 hidden_size=1024 intermediate_size=512 seq_len=256 batch_size=3 vocab_size=4096 num_embeddings=1000 out_features=1024 token_count=1025 num_iteration=1)
    ;;
  fla)
    tests=$clone/tests/ops sources=$clone
    configurations=1
    not='tilelang|backends|intracard'
    limits=(T=256 B=1 H=2 HQ=2 HV=2 D=64 cu_seqlens=256)
    ;;
  flaggems)
    tests=$clone/tests sources=$clone/src
    export GEMS_VENDOR=amd
    configurations=6
    not='^$'
    limits=(shape=40 M=64 N=64 K=64 batch=2)
    ;;
  flash-attention)
    # Those of its Triton kernels; the package wants its extension to be there, which these don't call.
    extension=$(mktemp -d)
    trap 'rm -r "$extension"' EXIT
    touch "$extension/flash_attn_2_cuda.py"
    sources=$clone:$extension
    ((${#files[@]})) || files=(tests/test_rotary.py tests/ops/triton/test_layer_norm.py tests/losses/test_cross_entropy.py)
    limits=(hidden_size=512 vocab_size=1000)
    ;;
  aiter)
    # Its Triton kernels, without what it builds for a GPU; from a copy of the tests, beside which the whole package would be found first.
    export AITER_CLONE=$clone
    copy=$(mktemp -d)
    trap 'rm -r "$copy"' EXIT
    cp -r "$clone/op_tests" "$copy"
    sources=$root/tests/python/aiter clone=$copy
    configurations=1
    ((${#files[@]})) || files=(op_tests/triton_tests/{test_softmax,test_topk,test_kv_cache,test_gmm,normalization/test_rmsnorm,quant/test_quant,gemm/basic/test_gemm_a16w16,gemm/basic/test_gemm_a8w8,moe/test_moe,attention/test_mla_decode_rope}.py)
    limits=(M=64 N=256 K=128 B=2 S=128)
    ;;
  *) echo "triton-libraries: error: '$library' isn't one of these libraries" >&2; exit 2 ;;
esac
((${#files[@]})) || mapfile -t files < <(ls "$tests"/test_*.py | grep -vE "$not")
cd "$clone"
PYTHONPATH=$root/python:$sources${PYTHONPATH:+:$PYTHONPATH} "${PYTHON:-python3}" "$root/scripts/triton-unit-tests.py" --expected "$root/tests/python/$library-expected.txt" \
  --configs "$configurations" "${limits[@]/#/--at-most=}" "${options[@]}" "${files[@]}"
