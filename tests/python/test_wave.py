"""Wave's kernels: compiled by Inflight from Wave's MLIR, run with all checks, compared with torch on the CPU."""
import os

import inflight
import pytest
import torch

pytest.importorskip("wave_lang")

import inflight.wave  # noqa: E402
import wave_lang.kernel.lang as tkl  # noqa: E402
import wave_lang.kernel.wave as tkw  # noqa: E402
from wave_lang.kernel.lang.global_symbols import GLOBAL_ADDRESS_SPACE, SHARED_ADDRESS_SPACE  # noqa: E402
from wave_lang.kernel.wave.compile import WaveCompileOptions, wave_compile  # noqa: E402
from wave_lang.kernel.wave.constraints import MMAType, ScaledMMAType  # noqa: E402
from wave_lang.kernel.wave.scheduling.schedule_enums import SchedulingType  # noqa: E402
from wave_lang.kernel.wave.templates.attention_common import AttentionShape  # noqa: E402
from wave_lang.kernel.wave.templates.gemm import get_gemm_kernel  # noqa: E402
from wave_lang.kernel.wave.templates.vanilla_attention import get_vanilla_attention_kernel  # noqa: E402
from wave_lang.kernel.wave.utils.general_utils import get_default_scheduling_params  # noqa: E402
from wave_lang.kernel.wave.utils.run_utils import set_default_run_config  # noqa: E402

M, N, K = tkl.sym.M, tkl.sym.N, tkl.sym.K
BLOCK_M, BLOCK_N, BLOCK_K = tkl.sym.BLOCK_M, tkl.sym.BLOCK_N, tkl.sym.BLOCK_K
ADDRESS_SPACE = tkl.sym.ADDRESS_SPACE


@pytest.fixture(params=os.environ.get("INFLIGHT_TEST_CHIPS", "gfx942,gfx950").split(","))
def wave_chip(request):
    inflight.wave.activate(request.param)
    return request.param


def built(kernel, subs, **options):
    return wave_compile(set_default_run_config(WaveCompileOptions(subs=subs, canonicalize=True, **options)), kernel)


def rows(count):
    """Constraints of a wave for each row."""
    return [tkw.HardwareConstraint(threads_per_wave=64, vector_shapes={M: 1, N: count}), tkw.WorkgroupConstraint(M, 1, 1),
            tkw.WorkgroupConstraint(N, count, 0), tkw.WaveConstraint(M, 1), tkw.WaveConstraint(N, count)]


def test_copy(wave_chip):
    @tkw.wave(rows(128))
    def copy(a: tkl.Memory[M, N, ADDRESS_SPACE, tkl.f16], b: tkl.Memory[M, N, ADDRESS_SPACE, tkl.f16]):
        tkw.write(tkw.read(a), b)

    a, b = torch.randn(27, 100).half(), torch.zeros(27, 100).half()
    run = built(copy, {M: 27, N: 100, ADDRESS_SPACE: GLOBAL_ADDRESS_SPACE})
    with inflight.check():
        run(a, b)
    assert torch.equal(a, b)


def test_sum(wave_chip):
    @tkw.wave(rows(256))
    def dot(a: tkl.Memory[M, N, ADDRESS_SPACE, tkl.f32], b: tkl.Memory[M, N, ADDRESS_SPACE, tkl.f32], c: tkl.Memory[M, ADDRESS_SPACE, tkl.f32]):
        tkw.write(tkw.sum(tkw.read(a) * tkw.read(b), dim=N), c)

    a, b = torch.randn(2, 32, 256)
    c = torch.zeros(32)
    run = built(dot, {M: 32, N: 256, ADDRESS_SPACE: GLOBAL_ADDRESS_SPACE})
    with inflight.check():
        run(a, b, c)
    assert torch.allclose(c, (a * b).sum(1), atol=1e-4)


@pytest.mark.parametrize("schedule", [SchedulingType.NONE, SchedulingType.PREFETCH])
@pytest.mark.parametrize("dynamic", [False, True])
def test_gemm(wave_chip, dynamic, schedule):
    shape = (128, 64, 256)
    gemm, subs, dynamic_symbols = get_gemm_kernel(shape, dynamic, MMAType.F32_16x16x16_F16)
    subs.update(get_default_scheduling_params())
    run = built(gemm, subs, dynamic_symbols=dynamic_symbols, schedule=schedule)
    for m in (128, 192) if dynamic else (128,):
        a, b, c = torch.randn(m, 256).half(), torch.randn(64, 256).half(), torch.zeros(m, 64)
        with inflight.check():
            run(a, b, c)
        assert torch.allclose(c, a.float() @ b.float().T, atol=1e-2)


def test_attention(wave_chip):
    shape = AttentionShape(num_query_heads=2, num_kv_heads=2, query_seq_len=128, head_size_kv=64, head_size=64, kv_seq_len=256)
    attention, subs, dynamic_symbols = get_vanilla_attention_kernel(shape, (MMAType.F32_16x16x16_F16, MMAType.F32_16x16x16_F16), False, is_v_transposed=True)
    subs.update(get_default_scheduling_params())
    run = built(attention, subs, dynamic_symbols=dynamic_symbols)
    q, k, v = torch.randn(2, 128, 64).half(), torch.randn(2, 256, 64).half(), torch.randn(2, 256, 64).half()
    out = torch.zeros(2, 128, 64)
    with inflight.check():
        run(q, k, v.permute(0, 2, 1).contiguous(), out)
    expected = torch.nn.functional.scaled_dot_product_attention(q.float(), k.float(), v.float())
    assert torch.allclose(out, expected, atol=2e-2)


FP4 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def unpacked(bytes_, scales):
    """Two numbers a byte, the lower half first, and a power of two for 32 numbers."""
    halves = torch.stack([bytes_ & 15, bytes_ >> 4], dim=-1).flatten(1).long()
    return FP4[halves & 7] * torch.where(halves > 7, -1.0, 1.0) * (2.0 ** (scales.float() - 127)).repeat_interleave(32, dim=1)


def test_mxfp4_gemm(wave_chip):
    if wave_chip != "gfx950":
        pytest.skip("scaled matrix instructions are gfx950's")
    constraints = [tkw.WorkgroupConstraint(M, BLOCK_M, 0), tkw.WorkgroupConstraint(N, BLOCK_N, 1), tkw.TilingConstraint(K, BLOCK_K),
                   tkw.WaveConstraint(M, BLOCK_M / 2), tkw.WaveConstraint(N, BLOCK_N / 2),
                   tkw.HardwareConstraint(threads_per_wave=64, mma_type=ScaledMMAType.F32_16x16x128_F8F6F4)]

    @tkw.wave(constraints)
    def gemm(a: tkl.Memory[M, K / 2, ADDRESS_SPACE, tkl.i8], a_scale: tkl.Memory[M, K / 32, ADDRESS_SPACE, tkl.i8],
             b: tkl.Memory[N, K / 2, ADDRESS_SPACE, tkl.i8], b_scale: tkl.Memory[N, K / 32, ADDRESS_SPACE, tkl.i8],
             c: tkl.Memory[M, N, GLOBAL_ADDRESS_SPACE, tkl.f32]):
        zero = tkl.Register[M, N, tkl.f32](0.0)

        @tkw.iterate(K, init_args=[zero])
        def repeat(acc: tkl.Register[M, N, tkl.f32]) -> tkl.Register[M, N, tkl.f32]:
            a_reg, a_factor = tkw.bitcast(tkw.read(a), tkl.f4e2m1fn), tkw.bitcast(tkw.read(a_scale), tkl.f8e8m0fnu)
            b_reg, b_factor = tkw.bitcast(tkw.read(b), tkl.f4e2m1fn), tkw.bitcast(tkw.read(b_scale), tkl.f8e8m0fnu)
            return tkw.scaled_mma(a_reg, a_factor, b_reg, b_factor, acc)

        tkw.write(repeat, c)

    subs = {ADDRESS_SPACE: SHARED_ADDRESS_SPACE, BLOCK_M: 32, BLOCK_N: 32, BLOCK_K: 256, M: 64, N: 96, K: 512}
    subs.update(get_default_scheduling_params())
    run = built(gemm, subs)
    a, b = (torch.randint(0, 256, (n, 256), dtype=torch.uint8) for n in (64, 96))
    a_scale, b_scale = (torch.randint(124, 130, (n, 16), dtype=torch.uint8) for n in (64, 96))
    c = torch.zeros(64, 96)
    with inflight.check():
        run(a, a_scale, b, b_scale, c)
    assert torch.allclose(c, unpacked(a, a_scale) @ unpacked(b, b_scale).T, rtol=1e-4, atol=1e-2)


def test_another_chip(wave_chip):
    gemm, subs, _ = get_gemm_kernel((64, 64, 64), False, MMAType.F32_16x16x16_F16)
    with pytest.raises(inflight.Error, match="is activated"):
        wave_compile(WaveCompileOptions(subs=subs, target="gfx950" if wave_chip == "gfx942" else "gfx942"), gemm)
