#!/bin/sh
# Gives an assembly file other waits in place: rewait.sh INFLIGHT MODE CHIP FILE, where MODE is --insert or --relax.
exec "$1" waits "$2" -i -mcpu="$3" "$4"
