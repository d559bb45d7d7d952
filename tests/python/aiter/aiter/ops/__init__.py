import os

__path__.append(os.path.join(os.environ["AITER_CLONE"], "aiter", "ops"))
