"""A kernel of bench/zoo_kernels.py: python zoo_kernel.py CHIP NAME K"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../../bench"))
import zoo_kernels

chip, name, k = sys.argv[1:]
form = next(form for form in zoo_kernels.forms(chip) if form.name() == name)
print(zoo_kernels.Kernel(form, chip, (4096, 4096, int(k))).text())
