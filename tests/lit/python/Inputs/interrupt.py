"""Signals during a launch that would take long, and the devices' numbers."""
import os
import pathlib
import signal
import sys
import threading

import numpy

import inflight

# Those who run tests may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
kernel = inflight.load(inflight.assemble(pathlib.Path(sys.argv[1]).read_text()))["count"]
place = numpy.zeros(64, numpy.uint32)


def send():
    os.kill(os.getpid(), signal.SIGINT)


for options in ({}, {"checks": "all"}, {"timed": True}):
    threading.Timer(0.3, send).start()
    try:
        kernel[4, 64](place, 100_000_000, max_steps=1 << 60, **options)
    except KeyboardInterrupt:
        print("KeyboardInterrupt", *options)
signal.signal(signal.SIGINT, lambda number, frame: print("own handler", number == signal.SIGINT))
threading.Timer(0.3, send).start()
try:
    kernel[4, 64](place, 100_000_000, max_steps=1 << 60)
except inflight.Interrupted as error:
    print("Interrupted", error)
print("handler is back", signal.getsignal(signal.SIGINT).__name__)


class TimeIsUp(BaseException):
    pass


def time_is_up(number, frame):
    raise TimeIsUp("as the handler raised it")


# Handlers that raise end the launch with what they raise; others go by unnoticed.
told = []
signal.signal(signal.SIGUSR1, lambda number, frame: told.append(number))
signal.signal(signal.SIGALRM, time_is_up)
threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
signal.setitimer(signal.ITIMER_REAL, 0.4)
try:
    kernel[4, 64](place, 100_000_000, max_steps=1 << 60)
except TimeIsUp as error:
    print("TimeIsUp", error, told == [signal.SIGUSR1])
print("handler is back", signal.getsignal(signal.SIGALRM).__name__)
kernel[1, 64](place, 5)
print("goes on", place[0])

# Kernels that don't end are told of, and ended by a limit.
os.environ["INFLIGHT_MAX_STEPS"] = "1000"
try:
    kernel[1, 64](place, 100_000_000)
except inflight.KernelFault as fault:
    print(fault)
os.environ["INFLIGHT_MAX_STEPS"] = "many"
try:
    kernel[1, 64](place, 1)
except inflight.Error as error:
    print(error)
del os.environ["INFLIGHT_MAX_STEPS"]
signal.signal(signal.SIGALRM, time_is_up)
signal.setitimer(signal.ITIMER_REAL, 8)
try:
    kernel[4, 64](place, 0, max_steps=1 << 60)
except TimeIsUp:
    print("ended")

print(sorted({device["chip"] for device in inflight.devices()}), inflight.device("gfx942")["name"], inflight.device("mi308x")["compute_units"])
try:
    inflight.device("gfx1103")
except inflight.Error as error:
    print(error)
