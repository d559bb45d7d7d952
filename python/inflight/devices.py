"""The devices whose numbers the library has (data/devices.json and data/targets)."""
from ._library import byref, c_void_p, check, library, taken_json


def devices():
    """A dictionary for each device: name, chip, compute_units, clock_mhz, ... as ifl_devices() of the C API has them."""
    text = c_void_p()
    check(library.ifl_devices(byref(text)))
    return taken_json(text)


def device(name):
    """The device of that name ("MI300X"), or the usual one with a chip ("gfx942")."""
    text = c_void_p()
    check(library.ifl_device_find(name.encode(), None, 0, byref(text)))
    return taken_json(text)
