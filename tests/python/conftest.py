import os

import inflight.triton
import pytest

CHIPS = os.environ.get("INFLIGHT_TEST_CHIPS", "gfx942,gfx950").split(",")


@pytest.fixture(params=CHIPS)
def chip(request):
    """Each test runs on each chip; kernels are compiled for it anew."""
    inflight.triton.activate(request.param)
    return request.param
