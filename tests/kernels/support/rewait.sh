#!/bin/sh
# For --rewrite of run.py and ../random/programs.py: rewait.sh INFLIGHT MODE MUTATE-WAITS CHIP FILE gives an assembly file or a code object
# other waits in place, MODE being --insert or --relax. What verify finds in the compiler's own waits is not this test's business; what it
# finds in the new ones is. Each wait that is called needed in them is taken away in turn.
set -e
# Relax is refused where clang forgets a wait, which it does before barriers and after write-backs: all such places drain first.
if [ "$2" = --relax ] && [ "${5%.s}" != "$5" ] && ! "$1" waits -mcpu="$4" "$5" 2>/dev/null; then
  sed -i 's/^\ts_barrier/\ts_waitcnt vmcnt(0) lgkmcnt(0)\n&/; s/^\tbuffer_wbl2.*/&\n\ts_waitcnt vmcnt(0) lgkmcnt(0)/' "$5"
fi
"$1" waits "$2" -i -mcpu="$4" "$5"
"$1" waits -mcpu="$4" "$5"
"$3" "$5"
