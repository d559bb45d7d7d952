#!/usr/bin/env python3
"""Runs Triton's tutorials on Inflight, unmodified but for their sizes, with all checks, and compares with torch on the CPU.

    python scripts/triton-tutorials.py TRITON/python/tutorials [--chip gfx942] [NAME ...]

TRITON is a clone of github.com/triton-lang/triton. Needs torch, triton, tabulate and the package (PYTHONPATH=python). Each tutorial runs in a
process of its own, with torch's CPU for its device "cuda". Benchmarks are left out.
"""
import argparse
import pathlib
import subprocess
import sys
import time

# Of each tutorial: what is replaced, the text at which it ends ("" for nowhere), and what is run then.
SIZES = {
    "01-vector-add.py": ([("size = 98432", "size = 9843")], "@triton.testing.perf_report", "assert torch.equal(output_triton, output_torch)"),
    "02-fused-softmax.py": ([("torch.randn(1823, 781", "torch.randn(182, 781")], "@triton.testing.perf_report", ""),
    "03-matrix-multiplication.py": ([("(512, 512)", "(256, 256)")], "ref_lib =",
                                    "assert torch.allclose(matmul(a.half(), b.half()), torch.matmul(a.half(), b.half()), atol=0.125, rtol=0.01)"),
    "04-low-memory-dropout.py": ([], "", "assert torch.equal(output, output2) and not torch.equal(output, output3)"),
    "05-layer-norm.py": ([("test_layer_norm(1151, 8192", "test_layer_norm(115, 1024"), ("bench_layer_norm.run(save_path='.', print_data=True)", "")], "", ""),
    "06-fused-attention.py": ([], "# vary seq length", """for causal in (False, True):
    test_op(1, 2, 256, 64, causal, False, "bwd", "triton-fp16")
test_op(1, 2, 256, 64, True, False, "fwd", "triton-fp8")"""),
    "07-extern-functions.py": ([("98432", "9843")], "#  Customize the libdevice library path",
                               "assert torch.allclose(output_torch, output_triton, atol=1e-5)"),
    "08-grouped-gemm.py": ([("[1024, 512, 256, 128]", "[256, 128]")], "# only launch the kernel", ""),
    # hipBLASLt is what it compares speeds with.
    "09-persistent-matmul.py": ([("amd.hipblas.HipblasLt(device_workspace)", "None"),
                                 ("validate(8192, 8192, args.K_range[0], dtype)", "validate(256, 384, 128, dtype); raise SystemExit")], "", ""),
    "10-block-scaled-matmul.py": ([('default="nvfp4"', 'default="mxfp4"'), ("validate_block_scaled_amd(8192, 8192, 8192", "validate_block_scaled_amd(256, 256, 512"),
                                   ("proton.start", "raise SystemExit; proton.start")], "", ""),
    "gluon/01-intro.py": ([("if __name__", "if False and __name__")], "", "test_copy_scalar(); test_memcpy(64, 1000)"),
}


def run_one(path, name, chip):
    import inflight
    import inflight.triton
    import torch  # noqa: F401

    inflight.triton.activate(chip, cuda=True)
    replaced, mark, then = SIZES[name]
    source = path.read_text()
    for old, new in replaced:
        if old not in source:
            sys.exit(f"{name}: this version has no '{old}'")
        source = source.replace(old, new)
    if mark:
        # Lines stay where they are.
        source = source[:source.index(mark)]
    sys.argv = [name]
    names = {"__name__": "__main__" if not mark and not then else "tutorial", "__file__": str(path)}
    with inflight.check(raises=False) as found:
        try:
            exec(compile(source, str(path), "exec"), names)
            exec(then, names)
        except SystemExit as end:
            if end.code:
                raise
    for finding in found.findings:
        print(finding)
    sys.exit(3 if found.findings else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tutorials", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="such as 01-vector-add.py; all unless named")
    parser.add_argument("--chip", action="append", help="gfx942 and gfx950 unless named")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    chips = options.chip or ["gfx942", "gfx950"]
    if options.one:
        run_one(options.tutorials / options.names[0], options.names[0], chips[0])
    failed = 0
    for name in options.names or SIZES:
        for chip in chips:
            begin = time.time()
            done = subprocess.run([sys.executable, "-W", "ignore", __file__, "--one", "--chip", chip, str(options.tutorials), name],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            verdict = {0: "right, no findings", 3: "FINDINGS"}.get(done.returncode, "FAILED")
            print(f"{name:30} {chip} {verdict}, {time.time() - begin:.1f} s", flush=True)
            if done.returncode or "❌" in done.stdout:
                failed += 1
                print(done.stdout[-3000:], flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
