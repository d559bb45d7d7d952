"""AITER's package with its Triton kernels alone: what it builds for a GPU and asks a GPU of is left out. The rest is the clone's, AITER_CLONE."""
import logging
import os

__path__.append(os.path.join(os.environ["AITER_CLONE"], "aiter"))
logger = logging.getLogger("aiter")

from aiter.ops.enum import ActivationType, QuantType  # noqa: E402, F401
from aiter.utility import dtypes  # noqa: E402, F401
