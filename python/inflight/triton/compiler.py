"""The other half of what Triton takes for a back end: AMD's stays the only compiler of "hip"."""
from triton.backends.compiler import BaseBackend


class InflightBackend(BaseBackend):
    @staticmethod
    def supports_target(target):
        return False

    def hash(self):
        return "inflight"

    def parse_options(self, options):
        raise NotImplementedError("inflight runs kernels; Triton's AMD back end compiles them")

    def add_stages(self, stages, options, *rest):
        raise NotImplementedError("inflight runs kernels; Triton's AMD back end compiles them")

    def load_dialects(self, context):
        pass

    def get_module_map(self):
        return {}

    def get_codegen_implementation(self, *rest):
        return {}
