"""torch.compile where the CPU stands for "cuda" (cuda.py): Inductor's kernels are Triton's, made for the chip, and run on Inflight.

torch can't trace gradients on a device that isn't there. So Dynamo and AOTAutograd trace on the CPU, and the graphs of operators that come of it are put
on the device before Inductor compiles them (_on_device). Operators that Inductor leaves to torch run on the CPU.
"""
import functools
import sys

import torch

from .imports import when_imported

DEVICE = torch.device("cuda", 0)


def _tensors(values):
    return [value for value in values if isinstance(value, torch.Tensor)]


def _on_device(graph, inputs):
    """A graph of the CPU and its inputs, as if traced on the device. Tensors that share memory go on doing so."""
    from torch._subclasses.fake_tensor import FakeTensor
    from torch.utils import _pytree

    moved = {}  # by identity: tensors compare by element

    def move(value):
        if isinstance(value, torch.device) and value.type == "cpu":
            return DEVICE
        if not isinstance(value, FakeTensor) or value.fake_device.type != "cpu":
            return value
        if id(value) not in moved:
            with value.fake_mode, torch.no_grad():
                made = value.detach()
            made.fake_device = DEVICE
            moved[id(value)] = made, value
        return moved[id(value)][0]

    for node in graph.graph.nodes:
        node.args, node.kwargs = _pytree.tree_map(move, (node.args, node.kwargs))
        if "val" in node.meta:
            node.meta["val"] = _pytree.tree_map(move, node.meta["val"])
    return graph, [move(value) for value in inputs]


def _patch_compile(module, hosts):
    """torch._inductor.compile_fx: a graph of which all tensors are the host's stays on the CPU."""
    plain, inner = module.compile_fx, module.compile_fx_inner

    @functools.wraps(inner)
    def compile_on_device(graph, inputs, **keywords):
        # A backward graph is compiled at the first backward(), in the mode of cuda.py.
        with torch._C.DisableTorchFunction():
            graph, inputs = _on_device(graph, inputs)
            return inner(graph, inputs, **keywords)

    def marking(compiled):
        def call(*arguments):
            results = compiled(*arguments)
            for made in _tensors(results):
                if not any(made is one for one in arguments):
                    hosts.add(made)
            return results

        return call

    @functools.wraps(plain)
    def compile_fx(graph, inputs, inner_compile=inner, *arguments, **keywords):
        _make_patterns()
        if inner_compile is not inner:
            return plain(graph, inputs, inner_compile, *arguments, **keywords)
        given = _tensors(inputs)
        if given and all(map(hosts.has, given)):
            return marking(plain(graph, inputs, inner_compile, *arguments, **keywords))
        return plain(graph, inputs, compile_on_device, *arguments, **keywords)

    module.compile_fx = compile_fx


@functools.cache
def _make_patterns():
    """Inductor traces, once, the patterns that it looks for, with gradients, and on the device if there is one: here on the CPU."""
    from torch._inductor.fx_passes import joint_graph

    available = torch.cuda.is_available
    torch.cuda.is_available = lambda: False
    try:
        joint_graph.lazy_init()
    finally:
        torch.cuda.is_available = available


def _patch_interface(module):
    """torch._dynamo.device_interface: what Inductor asks of a device. The class has copies of torch.cuda's functions, from before if it was there before."""
    interface = module.CudaInterface
    for name in set(vars(interface)) & set(torch.cuda.__all__) - {"is_available"}:
        plain = getattr(torch.cuda, name)
        setattr(interface, name, plain if isinstance(plain, type) else staticmethod(plain))
    interface.get_raw_stream = interface.exchange_device = interface.maybe_exchange_device = staticmethod(lambda number: 0)
    module.caching_worker_device_properties.clear()


def _patch_hints(module):
    module.DeviceProperties.create.cache_clear()


def _patch_config(module):
    # Processes that compile beside this one would have to be told of Inflight.
    module.compile_threads = 1


def _patch_functorch(module):
    # Its keys know the graph on the CPU alone: not whether it is the host's or the device's.
    module.enable_autograd_cache = False


def replace(hosts):
    """From now on torch.compile makes kernels for the device. `hosts`: the tensors that are the host's."""
    from torch._subclasses import fake_tensor
    from triton.compiler import CompiledKernel

    fake_tensor.init_gpu_context = lambda device: None
    torch._C._cuda_getCurrentRawStream = lambda number: 0
    torch._C._dynamo.guards._empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cpu
    # Inductor of torch 2.9 asks for the size of clusters, of which no chip here has any, and Triton's kernels don't say it any more.
    CompiledKernel.num_ctas, CompiledKernel.cluster_dims = 1, (1, 1, 1)
    when_imported("torch._dynamo.device_interface", _patch_interface)
    when_imported("torch._inductor.config", _patch_config)
    when_imported("torch._functorch.config", _patch_functorch)
    when_imported("torch._inductor.runtime.hints", _patch_hints)
    when_imported("torch._inductor.compile_fx", lambda module: _patch_compile(module, hosts))
