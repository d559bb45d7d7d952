"""torch.compile where the CPU stands for "cuda" (cuda.py): Inductor's kernels are Triton's, made for the chip, and run on Inflight.

torch can't trace gradients on a device that isn't there. So Dynamo and AOTAutograd trace on the CPU, and the graphs of operators that come of it are put
on the device before Inductor compiles them (_on_device). Operators that Inductor leaves to torch run on the CPU.
"""
import contextlib
import functools
import inspect
import threading

import torch
from torch.overrides import TorchFunctionMode

from .imports import when_imported
from .timing import modelled_milliseconds

DEVICE = torch.device("cuda", 0)


class _Compiling(threading.local):
    for_device = False


_compiling = _Compiling()


class _Compiler(TorchFunctionMode):
    """While Inductor compiles for the device: what looks for it, though it is only to find shapes. The modes below, as that of cuda.py, aren't asked."""

    def __torch_function__(self, function, kinds, arguments=(), keywords=None):
        with torch._C.DisableTorchFunction():
            if function is torch.Tensor.copy_ and getattr(arguments[0], "fake_device", None) == DEVICE:
                arguments[1].expand(arguments[0].shape)
                return arguments[0]
            return function(*arguments, **(keywords or {}))


@contextlib.contextmanager
def _compiling_for_device():
    """Inductor chooses by modelled times. What runs no kernel, as torch's own operators, has none, and is the last choice."""
    from torch._inductor.runtime.benchmarking import benchmarker

    def benchmark(function, arguments=(), keywords=None, **rest):
        return modelled_milliseconds(lambda: function(*(arguments or ()), **(keywords or {}))) or float("inf")

    benchmarker.benchmark, _compiling.for_device = benchmark, True
    try:
        with _Compiler():
            yield
    finally:
        _compiling.for_device = False
        del benchmarker.benchmark


def _refuse(missing):
    def compile(*arguments, **keywords):
        raise NotImplementedError(f'torch.compile for device="cuda" was made for torch 2.9, and torch {torch.__version__} differs: {missing}')

    torch.compile = compile


def _or_refused(patch):
    """Another version of torch may not have what is patched: torch.compile says so then, and all else works."""

    @functools.wraps(patch)
    def attempt(*arguments):
        try:
            patch(*arguments)
        except (AttributeError, ImportError) as missing:
            _refuse(missing)

    return attempt


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
        with _compiling_for_device():
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


@_or_refused
def _patch_interface(module):
    """torch._dynamo.device_interface: what Inductor asks of a device. The class has copies of torch.cuda's functions, from before if it was there before."""
    interface = module.CudaInterface
    for name in set(vars(interface)) & set(torch.cuda.__all__) - {"is_available"}:
        plain = getattr(torch.cuda, name)
        setattr(interface, name, plain if isinstance(plain, type) else staticmethod(plain))
    interface.get_raw_stream = interface.exchange_device = interface.maybe_exchange_device = staticmethod(lambda number: 0)
    module.caching_worker_device_properties.clear()


def _patch_examples(module):
    """torch._dynamo.testing, and who has its function: tensors that Inductor measures with."""
    plain = module.rand_strided

    @functools.wraps(plain)
    def rand_strided(size, stride, dtype=torch.float32, device="cpu", extra_size=0):
        return plain(size, stride, dtype, "cpu" if _compiling.for_device else device, extra_size)

    module.rand_strided = rand_strided


def _patch_constants(module):
    """torch._inductor.graph: constants are where they are needed."""
    plain = module.GraphLowering.constant_name

    @functools.wraps(plain)
    def constant_name(self, name, device_override):
        return plain(self, name, None if device_override == DEVICE else device_override)

    module.GraphLowering.constant_name = constant_name


def _patch_driver(module):
    """Kernels' files set Triton's driver for a GPU that torch finds; it is set already."""
    module.set_driver_to_gpu = lambda: None


def _patch_prims(module):
    # Indexing looks for the device that isn't there.
    torch.ops.prims.inductor_lookup_seed.default.prim_meta_impl = lambda seeds, index: torch._prims.TensorMeta(seeds.select(0, index))


def _patch_traced_calls(module, is_device):
    """torch._dynamo.variables.torch: what makes tensors on the device makes them on the CPU."""
    kind = module.TorchInGraphFunctionVariable
    plain = kind.call_function

    @functools.wraps(plain)
    def call_function(self, tx, args, kwargs):
        return plain(self, tx, args, _traced_keywords(kwargs, is_device))

    kind.call_function = call_function


def _constant(variable):
    return variable.as_python_constant() if variable is not None and variable.is_python_constant() else None


def _traced_keywords(keywords, is_device):
    if not is_device(_constant(keywords.get("device"))):
        return keywords
    from torch._dynamo.variables import ConstantVariable

    return {**keywords, "device": ConstantVariable.create(torch.device("cpu"))}


def _patch_traced_tensors(module, hosts, is_device):
    """torch._dynamo.variables.tensor: what a traced program is told of where a tensor is, and what it moves. All are the CPU's in a trace, so a move to the
    other side ends the graph, and is made outside."""
    from torch._dynamo.exc import Unsupported
    from torch._dynamo.variables.constant import ConstantVariable

    kind = module.TensorVariable
    plain_specialize, plain_call = kind.specialize, kind.call_method

    @functools.wraps(plain_specialize)
    def specialize(value):
        found = plain_specialize(value)
        if found["device"].type == "cpu" and not hosts.has(value):
            found["device"] = DEVICE
        return found

    def place(name, args, kwargs):
        """Where a move goes to; None if there isn't one."""
        if name in ("cuda", "cpu"):
            return name
        if args and isinstance(args[0], kind):
            return args[0].device
        given = _constant(args[0]) if args else None
        return given if isinstance(given, (str, int, torch.device)) and not isinstance(given, bool) else _constant(kwargs.get("device"))

    @functools.wraps(plain_call)
    def call_method(self, tx, name, args, kwargs):
        if name in ("to", "cuda", "cpu"):
            to = place(name, args, kwargs)
            if to is not None and self.device is not None and is_device(to) != (self.device.type == "cuda"):
                raise Unsupported(f"inflight: a tensor on {self.device} is brought to {to}")
            if name == "cuda":
                return self
            if is_device(to) and args and not isinstance(args[0], kind) and _constant(args[0]) is to:
                args = [ConstantVariable.create(torch.device("cpu")), *args[1:]]
        return plain_call(self, tx, name, args, _traced_keywords(kwargs, is_device))

    kind.specialize, kind.call_method = staticmethod(specialize), call_method


def _patch_guards(module, hosts):
    """torch._dynamo.guards: what was compiled for the host isn't for the device. To torch both are the CPU's."""
    kind = module.GuardBuilder
    plain = kind.TENSOR_MATCH
    # Torch 2.15 looks for guards, 2.9 for their names, and has the program's stack beside each.
    by_guard = "guard_or_source" in inspect.signature(kind.get).parameters

    @functools.wraps(plain)
    def TENSOR_MATCH(self, guard, value=None):
        plain(self, guard, value)
        on_host = hosts.has(self.get(guard if by_guard else guard.name))
        words = [f"{guard.name} is the {'host' if on_host else 'device'}'s"]
        self.get_guard_manager(guard).add_lambda_guard(lambda given: hosts.has(given) == on_host, words, *[guard.user_stack] * by_guard)

    kind.TENSOR_MATCH = TENSOR_MATCH


def _patch_traced_modes(module, mode):
    """torch._dynamo.variables.torch_function: the mode isn't followed where it is the only one."""
    kind = module.SymbolicTorchFunctionState

    def in_torch_function_mode(self):
        types = (one.python_type() if one.is_realized() else one.peek_type() for one in self.mode_stack)
        return any(found is not mode for found in types)

    kind.in_torch_function_mode = in_torch_function_mode


def _patch_config(module):
    # Processes that compile beside this one would have to be told of Inflight.
    module.compile_threads = 1
    # Triton's benchmarks measure modelled time (timing.py); the other ones use what the device hasn't.
    module.use_experimental_benchmarker = False
    # It loads code objects by itself, on a GPU.
    module.use_static_cuda_launcher = False


def _patch_functorch(module):
    # Its keys know the graph on the CPU alone: not whether it is the host's or the device's.
    module.enable_autograd_cache = False


def _patch_fakes(hosts):
    """torch's stand-ins for tensors, as it traces: those of the host's are the host's, and constants of a graph of the device's are the device's."""
    from torch._subclasses import fake_tensor

    fake_tensor.init_gpu_context = lambda device: None
    plain = fake_tensor.FakeTensorConverter.from_real_tensor

    @functools.wraps(plain)
    def from_real_tensor(self, fake_mode, tensor, *arguments, **keywords):
        made = plain(self, fake_mode, tensor, *arguments, **keywords)
        if hosts.has(tensor):
            hosts.add(made)
        elif _compiling.for_device and made.fake_device.type == "cpu":
            made.fake_device = DEVICE
        return made

    fake_tensor.FakeTensorConverter.from_real_tensor = from_real_tensor


def _skip(module, mode):
    """torch._dynamo.eval_frame: what the mode does while a program runs isn't compiled, nor what it calls."""
    from torch._dynamo.types import FrameAction, FrameExecStrategy

    module.set_code_exec_strategy(mode.__torch_function__.__code__, FrameExecStrategy(FrameAction.SKIP, FrameAction.SKIP))


def _patch_triton():
    """What Inductor of torch 2.9 asks Triton for, and Triton 3.9 hasn't any more."""
    from triton.backends.compiler import BaseBackend
    from triton.compiler import CompiledKernel
    from triton.runtime import jit

    # The size of clusters, of which no chip here has any.
    CompiledKernel.num_ctas, CompiledKernel.cluster_dims = 1, (1, 1, 1)
    # How arguments are specialised. Without it Inductor drops calls of a program's own kernels.
    if not hasattr(jit, "create_specialize_impl") and not hasattr(jit, "specialize_impl"):

        def specialize_impl(value, is_const, specialize_value, align, specialize_extra=None):
            return jit.native_specialize_impl(BaseBackend, value, is_const, specialize_value, align)

        jit.specialize_impl, BaseBackend.get_arg_specialization = specialize_impl, None


@_or_refused
def _patch_torch(hosts):
    _patch_fakes(hosts)
    torch._C._cuda_getCurrentRawStream = lambda number: 0
    torch._C._dynamo.guards._empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cpu


def replace(mode, hosts, is_device):
    """From now on torch.compile makes kernels for the device. `mode`: the class of the mode that makes the CPU the device; `hosts`: the tensors that are
    the host's; `is_device`: whether an argument names the device."""
    _patch_torch(hosts)
    _or_refused(_patch_triton)()
    for name, patch in [
        ("torch._dynamo.eval_frame", lambda module: _skip(module, mode)),
        ("torch._dynamo.variables.torch", lambda module: _patch_traced_calls(module, is_device)),
        ("torch._dynamo.variables.tensor", lambda module: _patch_traced_tensors(module, hosts, is_device)),
        ("torch._dynamo.guards", lambda module: _patch_guards(module, hosts)),
        ("torch._dynamo.variables.torch_function", lambda module: _patch_traced_modes(module, mode)),
        ("torch._inductor.config", _patch_config),
        ("torch._inductor.graph", _patch_constants),
        ("torch._inductor.inductor_prims", _patch_prims),
        ("torch._inductor.runtime.triton_helpers", _patch_driver),
        ("torch._dynamo.testing", _patch_examples),
        ("torch._inductor.select_algorithm", _patch_examples),
        ("torch._functorch.config", _patch_functorch),
        ("torch._inductor.compile_fx", lambda module: _patch_compile(module, hosts)),
    ]:
        when_imported(name, _or_refused(patch))


def renew():
    """Another chip may be the device: what Inductor has remembered of the one before."""
    when_imported("torch._dynamo.device_interface", _patch_interface)
    when_imported("torch._inductor.runtime.hints", _forget_properties)
    when_imported("torch._inductor.codecache", _forget_system)


@_or_refused
def _forget_properties(module):
    module.DeviceProperties.create.cache_clear()


@_or_refused
def _forget_system(module):
    module.CacheBase.get_system.cache_clear()
    module.CacheBase.get_local_cache_path.cache_clear()
