import os
import subprocess
import lit.formats

config.name = "inflight"
config.test_format = lit.formats.ShTest(True)
config.excludes = ["Inputs"]
config.suffixes = [".mlir", ".s", ".test", ".ll", ".cl", ".hip", ".lir"]
config.test_source_root = os.path.dirname(__file__)
build = os.environ.get("INFLIGHT_BUILD", os.path.join(config.test_source_root, "..", "..", "build"))
config.test_exec_root = os.path.join(build, "lit")
config.environment["PATH"] = os.pathsep.join(["/usr/lib/llvm-22/bin", os.path.join(build, "bin"), os.environ["PATH"]])
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "support")
config.substitutions.append(("%inflight", os.path.join(build, "bin", "inflight")))
config.substitutions.append(("%opt", os.path.join(build, "tests", "compiler", "inflight-opt")))
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%clang", "clang-22"))
config.substitutions.append(("%examples", os.path.join(config.test_source_root, "..", "..", "examples")))
config.substitutions.append(("%build", build))

# A build without the trace page (INFLIGHT_PAGE=OFF) leaves out what writes one: "UNSUPPORTED" and the test's name.
command = os.path.join(build, "bin", "inflight")
parts = subprocess.run([command, "doctor"], capture_output=True, text=True).stdout.splitlines() if os.path.exists(command) else []
if any(line.startswith("trace page") and line.endswith("built in") for line in parts):
    config.available_features.add("page")

# What `--sandbox` needs; containers often may not make namespaces.
if subprocess.run(["bash", "-c", "bwrap --unshare-all --ro-bind / / --proc /proc true"], capture_output=True).returncode == 0:
    config.available_features.add("namespaces")

# Of a build with a sanitizer: its runtime has to be the first library of programs that load ours. Tools such as bash leak.
runtime = os.environ.get("INFLIGHT_SANITIZER_RUNTIME")
if runtime:
    config.available_features.add("sanitized")
    config.environment["LD_PRELOAD"] = runtime
    config.environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

# HIP's headers and those of its libraries are no part of what tests need: where they are, tests compile with them.
headers = os.environ.get("INFLIGHT_HIP_HEADERS", "/usr/include")
config.substitutions.append(("%hip_headers", headers))
if os.path.exists(os.path.join(headers, "hip", "hip_runtime.h")):
    config.available_features.update(library for library in ("rocprim", "rocrand") if os.path.exists(os.path.join(headers, library)))
