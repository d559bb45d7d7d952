"""Starts a command, interrupts it once the directory isn't empty, and says what is left there: interrupt.py SIGNAL DIRECTORY COMMAND..."""
import os
import signal
import subprocess
import sys
import time

number, directory = getattr(signal, sys.argv[1]), sys.argv[2]
process = subprocess.Popen(sys.argv[3:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
has_begun = False
for _ in range(2000):
    has_begun = any(".tmp" in name for _, folders, files in os.walk(directory) for name in folders + files)
    if has_begun or process.poll() is not None:
        break
    time.sleep(0.01)
time.sleep(0.1)
process.send_signal(number)
errors = process.communicate(timeout=60)[1]
print("begun" if has_begun else "not begun", "ended by", -process.returncode, "left:", sorted(os.listdir(directory)), errors)
