"""What AITER asks rocminfo, of Triton's driver."""
import triton


def get_gfx():
    return triton.runtime.driver.active.get_current_target().arch


get_gfx_runtime = get_gfx


def get_cu_num():
    return triton.runtime.driver.active.utils.get_device_properties(0)["multiprocessor_count"]
