"""What programs for torch's device "cuda" do, where the CPU stands for it: test_cuda.py runs pytest on this file, in a process of its own."""
import inspect
import threading
import types

import pytest
import torch
import triton
import triton.language as tl

CPU, CUDA = torch.device("cpu"), torch.device("cuda", 0)


@triton.jit
def double(a, b, COUNT: tl.constexpr):
    at = tl.arange(0, COUNT)
    tl.store(b + at, 2 * tl.load(a + at))


def test_where_tensors_are():
    host, there = torch.ones(4), torch.ones(4, device="cuda")
    assert (host.device, host.is_cuda, host.get_device()) == (CPU, False, -1)
    assert (there.device, there.is_cuda, there.is_cpu, there.get_device()) == (CUDA, True, False, 0)
    assert there.device == torch.device("cuda:0") == triton.runtime.driver.active.get_active_torch_device()
    assert (there * 2 + 1).is_cuda and torch.empty_like(there).is_cuda and there.new_zeros(3).is_cuda and (there + torch.tensor(1.0)).is_cuda
    assert not (host * 2 + 1).is_cuda and not torch.empty_like(host).is_cuda and torch.zeros_like(host, device="cuda").is_cuda
    assert there.cpu().device == CPU and there.to("cpu").device == CPU and host.to(there).is_cuda and host.to(0).is_cuda
    assert host.to("cuda", torch.float16).dtype == torch.float16 and host.to(torch.float16).device == CPU
    assert torch.ones(4, device="meta").device.type == "meta"


def test_moves_copy():
    """As between a host and a device: what a kernel writes isn't seen in a copy of before."""
    there = torch.ones(64, device="cuda")
    before, same = there.cpu(), there.cuda()
    double[(1,)](there, there, COUNT=64)
    assert same is there and before.sum() == 64 and there.sum() == 128
    host = torch.ones(64)
    moved = host.cuda()
    host.zero_()
    assert moved.sum() == 64 and host.cpu() is host


def test_kernels_reach_the_device_alone():
    host, there = torch.ones(64), torch.ones(64, device="cuda")
    with pytest.raises(ValueError, match="cannot be accessed from Triton"):
        double[(1,)](host, there, COUNT=64)
    pinned = host.pin_memory()
    assert pinned.is_pinned() and not host.is_pinned() and torch.empty(3, pin_memory=True).is_pinned()
    double[(1,)](pinned, there, COUNT=64)
    assert there.sum() == 128
    made = [torch.ones(64, pin_memory=True), torch.ones(64, device="cpu", pin_memory=True), torch.ones_like(host, pin_memory=True)]
    assert all(one.is_pinned() and one.device == CPU for one in made) and not torch.ones(64, device="cpu", pin_memory=False).is_pinned()


def test_modules_and_gradients():
    layer = torch.nn.Linear(4, 4)
    assert layer.weight.device == CPU
    layer = layer.cuda()
    out = layer(torch.ones(2, 4, device="cuda"))
    out.sum().backward()
    assert layer.weight.device == CUDA and layer.weight.grad.is_cuda and out.device == CUDA
    assert torch.nn.Linear(4, 4, device="cuda").to("cpu").weight.device == CPU
    torch.optim.AdamW(layer.parameters()).step()


def test_products_of_another_type():
    a, b = (torch.randn(2, 8, 8, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    c = torch.randn(2, 8, 8, device="cuda")
    out = torch.empty(8, 8, device="cuda")
    wide = a.float() @ b.float()
    assert torch.equal(torch.bmm(a, b, out_dtype=torch.float32), wide) and torch.mm(a[0], b[0], out_dtype=torch.float32).is_cuda
    torch.testing.assert_close(torch.baddbmm(c, a, b, out_dtype=torch.float32), c + wide)
    assert torch.addmm(c[0], a[0], b[0], out_dtype=torch.float32, alpha=2, out=out) is out
    torch.testing.assert_close(out, c[0] + 2 * wide[0])


def test_default_device():
    torch.set_default_device("cuda")
    try:
        assert torch.zeros(3).device == CUDA and torch.get_default_device() == CUDA and torch.zeros(3, device="cpu").device == CPU
    finally:
        torch.set_default_device(None)
    with torch.device("cuda"):
        assert torch.arange(3).device == CUDA
    assert torch.zeros(3).device == CPU


def test_autocast():
    a = torch.randn(8, 8, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert (a @ a).dtype == torch.bfloat16 and torch.is_autocast_enabled("cuda")
        with torch.autocast("cuda", enabled=False):
            assert (a @ a).dtype == torch.float32
        assert (a @ a).dtype == torch.bfloat16
    assert (a @ a).dtype == torch.float32 and not torch.is_autocast_enabled("cpu")

    @torch.amp.autocast("cuda", dtype=torch.float16)
    def product():
        return a @ a

    assert product().dtype == torch.float16


def test_random_numbers():
    generator = torch.Generator(device="cuda").manual_seed(3)
    assert isinstance(generator, torch.Generator) and isinstance(torch.default_generator, torch.Generator) and generator.device == CUDA
    first = torch.randn(5, generator=generator, device="cuda")
    assert torch.equal(first, torch.randn(5, generator=generator.manual_seed(3), device="cuda"))
    torch.cuda.manual_seed(7)
    state, numbers = torch.cuda.get_rng_state(), torch.rand(5, device="cuda")
    torch.cuda.set_rng_state(state)
    assert torch.equal(numbers, torch.rand(5, device="cuda"))


def test_identity():
    assert torch.version.hip and torch.version.cuda is None
    assert torch.cuda.current_device() == triton.runtime.driver.active.get_current_device() == 0
    double[(1,)](torch.ones(64, device="cuda"), torch.ones(64, device="cuda"), COUNT=64)
    assert double.device_caches[torch.cuda.current_device()][0]
    for call in (lambda: torch.zeros(3, device="cuda:1"), lambda: torch.cuda.set_device(1), lambda: torch.ones(1).to("cuda:2")):
        with pytest.raises(RuntimeError, match="there is one device"):
            call()


def test_threads():
    seen = []
    thread = threading.Thread(target=lambda: seen.append(torch.ones(3, device="cuda").is_cuda))
    thread.start()
    thread.join()
    assert seen == [True]


def test_streams_and_events():
    stream, event = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream() is stream
        event.record()
    assert torch.cuda.current_stream() is torch.cuda.default_stream() and event.query() and stream.cuda_stream != 0
    assert not stream.is_capturing()
    torch.ones(3, device="cuda").record_stream(stream)
    assert event.elapsed_time(torch.cuda.Event()) >= 0


def test_loaders():
    data = torch.utils.data.TensorDataset(torch.arange(8))
    batches = [batch for batch, in torch.utils.data.DataLoader(data, batch_size=4, pin_memory=True)]
    assert [batch.tolist() for batch in batches] == [[0, 1, 2, 3], [4, 5, 6, 7]]


# What torch.cuda and torch.accelerator have and what works here, with the arguments of a call; all other names of theirs are refused.
CALLS = {
    "torch.cuda": {
        **dict.fromkeys("""
            Event Stream can_device_access_peer current_device current_stream default_stream device_count empty_cache get_allocator_backend get_arch_list
            get_device_capability get_device_name get_device_properties get_gencode_flags get_per_process_memory_fraction get_rng_state get_rng_state_all
            get_sync_debug_mode host_memory_stats host_memory_stats_as_nested_dict init initial_seed ipc_collect is_available is_bf16_supported
            is_current_stream_capturing is_initialized is_tf32_supported max_memory_allocated max_memory_cached max_memory_reserved mem_get_info
            memory_allocated memory_cached memory_reserved memory_stats memory_stats_as_nested_dict memory_summary
            reset_accumulated_host_memory_stats reset_accumulated_memory_stats reset_max_memory_allocated reset_max_memory_cached
            reset_peak_host_memory_stats reset_peak_memory_stats seed seed_all synchronize""".split(), ()),
        "manual_seed": (1,), "manual_seed_all": (1,), "set_device": (0,), "device": (0,), "device_of": (torch.ones(1),), "StreamContext": (None,),
        "stream": (None,), "set_stream": (None,), "caching_allocator_enable": (True,), "set_sync_debug_mode": ("default",),
        "set_per_process_memory_fraction": (0.5,), "set_rng_state": (torch.default_generator.get_state(),),
        "set_rng_state_all": ([torch.default_generator.get_state()],),
        **dict.fromkeys((kind + what for kind in "Bool Byte Char Double Float Half Int Long Short BFloat16".split()
                        for what in ("Tensor", "Storage")), (3,)),
        "ComplexDoubleStorage": (3,), "ComplexFloatStorage": (3,),
    },
    "torch.accelerator": {
        **dict.fromkeys("""
            current_accelerator current_device_idx current_device_index current_stream empty_cache empty_host_cache device_count
            get_device_capability get_memory_info is_available max_memory_allocated
            max_memory_reserved memory_allocated memory_reserved memory_stats reset_accumulated_memory_stats reset_peak_memory_stats synchronize""".split(), ()),
        "device_index": (0,), "set_device_idx": (0,), "set_device_index": (0,), "set_stream": (None,),
    },
}
# Names that aren't called: exceptions, constants, modules whose own functions need no device.
OTHERS = {"CudaError", "DeferredCudaCallError", "amp", "cudaStatus", "default_generators", "graphs", "has_half", "has_magma", "memory", "nvtx", "profiler",
          "random", "sparse", "streams"}


@pytest.mark.parametrize("module", [torch.cuda, torch.accelerator], ids=lambda module: module.__name__)
def test_every_name_works_or_is_refused(module):
    calls = CALLS[module.__name__]
    for name in module.__all__:
        found = getattr(module, name)
        if name in calls:
            found(*calls[name])
        elif name not in OTHERS:
            inner = [value for value in vars(found).values() if inspect.isfunction(value)] if isinstance(found, types.ModuleType) else [found]
            assert inner, name
            for call in inner:
                with pytest.raises(NotImplementedError, match=f"{module.__name__}.{name}"):
                    call()


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.place = x.device
        return twice(x)

    @staticmethod
    def backward(context, gradient):
        assert gradient.device == context.place and gradient.is_cuda == (context.place == CUDA)
        return twice(gradient)


def twice(x):
    if not x.is_cuda:
        return 2 * x
    out = torch.empty(x.shape, device="cuda")
    double[(1,)](x.contiguous(), out, COUNT=x.numel())
    return out


def test_backward_functions_and_hooks():
    for place in ("cpu", "cuda"):
        x, seen = torch.ones(64, device=place, requires_grad=True), []
        out = Doubled.apply(x)
        out.register_hook(lambda gradient, seen=seen: seen.append(gradient.device.type))
        out.sum().backward()
        (gradient,) = torch.autograd.grad(Doubled.apply(x).sum(), x)
        torch.autograd.backward(Doubled.apply(x).sum())
        assert seen == [place] and x.grad.eq(4).all() and gradient.eq(2).all() and {x.grad.device.type, gradient.device.type} == {place}


def test_operators_of_the_program():
    """torch.library's, whose kernels are for the device: a Triton kernel runs for its tensors, and the host's get the host's kernel or none."""
    there, host = torch.randn(64, device="cuda"), torch.randn(64)
    library = torch.library.Library("inflight_tests", "FRAGMENT")
    library.define("plain(Tensor x) -> Tensor")
    library.impl("plain", twice, "CUDA")
    only = torch.library.custom_op("inflight_tests::only", twice, mutates_args=(), device_types="cuda", schema="(Tensor x) -> Tensor")
    for operator in (torch.ops.inflight_tests.plain, only):
        assert torch.equal(operator(there), 2 * there) and operator(there).is_cuda
        with pytest.raises(NotImplementedError, match="arguments from the 'CPU' backend"):
            operator(host)
    anywhere = torch.library.custom_op("inflight_tests::anywhere", lambda x: twice(x).clone(), mutates_args=(), schema="(Tensor x) -> Tensor")
    both = torch.library.custom_op("inflight_tests::both", lambda x: 3 * x, mutates_args=(), device_types="cpu", schema="(Tensor x) -> Tensor")
    both.register_kernel("cuda")(twice)
    assert torch.equal(anywhere(there), 2 * there) and torch.equal(both(there), 2 * there) and torch.equal(both(host), 3 * host)
    both.register_autograd(lambda context, gradient: twice(gradient))
    leaf = there.clone().requires_grad_()
    both(leaf).sum().backward()
    assert leaf.grad.eq(2).all()


def test_operators_in_the_place_of_torch_s():
    there, host = torch.randn(64, device="cuda"), torch.randn(64)
    silu, expected = torch.nn.functional.silu, host * host.sigmoid()
    for _ in range(2):
        with torch.library._scoped_library("aten", "IMPL") as library:
            library.impl("silu", twice, "CUDA")
            assert torch.equal(silu(there), 2 * there)
            torch.testing.assert_close(silu(host), expected)
        torch.testing.assert_close(silu(there), there * there.sigmoid())
    with torch.library._scoped_library("aten", "IMPL") as library:  # inflight/cuda.py has this one, too
        library.impl("mm.dtype", lambda a, b, kind: a, "CUDA")
        square = torch.ones(4, 4, device="cuda")
        assert torch.equal(torch.mm(square, square, out_dtype=torch.float32), square)
    assert torch.equal(torch.mm(square, square, out_dtype=torch.float32), 4 * square)
