"""The devices whose numbers the library has (data/devices.json and data/targets)."""
import functools

from ._library import Error, byref, c_void_p, check, library, taken_json


@functools.lru_cache(maxsize=None)
def _all():
    text = c_void_p()
    check(library.ifl_devices(byref(text)))
    return tuple(taken_json(text))


def devices():
    """A dictionary for each device: name, chip, compute_units, clock_mhz, ... as ifl_devices() of the C API has them."""
    return [dict(device) for device in _all()]


def device(name):
    """The device of that name ("MI300X"), or the usual one with a chip ("gfx942")."""
    for found in _all():
        if found["name"].lower() == name.lower() or found["chip"] == name and found["usual"]:
            return dict(found)
    chips = sorted({found["chip"] for found in _all()})
    raise Error(f"inflight: no chip or device '{name}'; chips: {', '.join(chips)}; devices: {', '.join(found['name'] for found in _all())}")
