"""Triton's driver: what its JIT asks of a device, on the machine model. No torch is needed; its CPU tensors work."""
import os

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

import inflight
from inflight.devices import device as device_of
from inflight.timing import DeviceInterface, do_bench

from . import tensors
from .launcher import Launcher


class Utils:
    """What Triton asks of a device and of its code objects."""

    def __init__(self, driver):
        self.driver = driver

    def get_device_properties(self, device):
        found = self.driver.device
        units = found["simds_per_cu"] * found["lanes"]
        return {
            "max_shared_mem": found["lds_bytes"],
            # As HIP has it: 32-bit registers of all lanes that a workgroup may have, accumulation registers not counted.
            "max_num_regs": found["arch_vgprs"] * units,
            "multiprocessor_count": found["compute_units"],
            "sm_clock_rate": found["clock_mhz"] * 1000,
            # In kHz, so that twice the rate on all wires is the bandwidth: Triton's get_dram_gbps.
            "mem_clock_rate": round(found["memory_gbytes_per_second"] * 1e6 * 8 / 2 / found["memory_bus_bits"]),
            "mem_bus_width": found["memory_bus_bits"],
            "arch": found["chip"],
            "warpSize": found["lanes"],
            "max_threads_per_sm": found["waves_per_simd"] * units,
            "cooperativeLaunch": 1,
        }

    def load_binary(self, name, image, shared, device):
        module = inflight.load(image, self.driver.chip)
        kernel = module[name]
        return module, kernel, kernel.info["vgprs"], kernel.info["vgpr_spills"] + kernel.info["sgpr_spills"], self.driver.device["workgroup_lanes"]

    def unload_module(self, module):
        module.close()


class InflightDriver(DriverBase):
    """`chip`: a chip or a device, such as "gfx942" or "MI308X"; without one $INFLIGHT_CHIP or gfx942. `cuda`: see activate()."""

    activated = False  # by activate()
    numbers = {}  # of the devices that this process has had, by name

    def __init__(self, chip=None, cuda=None):
        self.device = device_of(chip or os.environ.get("INFLIGHT_CHIP", "gfx942"))
        self.chip = self.device["chip"]
        self.utils = Utils(self)
        # Kernels that Triton has compiled are kept by the device's number: one for each kind, the first is torch.cuda's 0.
        self.number = self.numbers.setdefault(self.device["name"], len(self.numbers))
        self.launcher_cls = Launcher
        tensors.watch()
        import triton.testing

        triton.testing.do_bench = triton.testing.do_bench_cudagraph = do_bench
        self.cuda = os.environ.get("INFLIGHT_CUDA", "0") not in ("", "0") if cuda is None else cuda
        if self.cuda:
            from inflight.cuda import replace

            replace(self.device)
            # torch says now that it has a device of AMD's, which the driver of Triton's own takes for its.
            from triton.backends import backends

            backends["amd"].driver.is_active = staticmethod(lambda: False)
        # What the compiler has remembered of another chip.
        from triton.compiler import compiler

        if hasattr(compiler, "max_shared_mem"):
            compiler.max_shared_mem.cache_clear()

    @classmethod
    def is_active(cls):
        return cls.activated or os.environ.get("TRITON_DEFAULT_BACKEND") == "inflight"

    def map_python_to_cpp_type(self, kind):
        return "void*" if kind.startswith("*") else kind

    def get_current_target(self):
        return GPUTarget("hip", self.chip, self.device["lanes"])

    def get_current_device(self):
        return self.number

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_device_capability(self, device=None):
        # Triton's own tests and tutorials ask it of NVIDIA's devices only.
        return (9, 0)

    def get_device_interface(self):
        return DeviceInterface()

    def get_active_torch_device(self):
        import torch

        return torch.device("cuda", 0) if self.cuda else torch.device("cpu")

    def get_benchmarker(self):
        return lambda call, quantiles=None, **rest: do_bench(call, quantiles=quantiles or [0.5, 0.2, 0.8])

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        pass

    def allocate_default_profile_scratch(self, size, alignment, stream):
        return tensors.Scratch(size)
