#!/bin/sh
# For run.py --rewrite: rewait.sh INFLIGHT MODE MUTATE-WAITS CHIP FILE gives an assembly file other waits in place, MODE being --insert or
# --relax. What verify finds in the compiler's own waits is not this test's business; what it finds in the new ones is. Each wait
# that is called needed in them is taken away in turn.
set -e
"$1" waits "$2" -i -mcpu="$4" "$5"
"$1" waits -mcpu="$4" "$5"
"$3" "$5"
