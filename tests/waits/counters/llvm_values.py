"""Whether `inflight waits --insert` puts in no stricter wait than llc has, at each place of LLVM's own tests.

  llvm_values.py INFLIGHT CHIP FILE|FOLDER... [--every=N] [--show=N] [--from=stripped]

Files are LLVM IR, which llc 22 compiles for CHIP, or the assembly that it wrote. All waits are put in anew: what llc's own keep in order
for other waves stays so. With --from=stripped they are taken out before, and nothing tells about that order but what is there without them. At a place a
wait of llc's, and what was issued since, leaves so many operations of a counter outstanding at most, on all paths to it: found by the
counters of interpret.py, which shares nothing with src/waits. A wait for fewer is stricter there, and printed with why it stands there, as
`inflight waits --report` has it: for the order of memory (of stripped code: what the program has waited for by then), before a
loop or a join for what comes behind, because of the next instruction, or as llc's own code lacks it by `inflight waits`. What was inserted has to verify clean, too. Status 1 where a
wait is stricter or something is missing.
"""
import collections, functools, json, os, pathlib, re, subprocess, sys, tempfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import interpret

MOST = 1 << 10  # outstanding: not known


def assembly(paths, chip, folder, every):
    for path in paths:
        path = pathlib.Path(path)
        for one in sorted([*path.glob('*.ll'), *path.glob('*.s')] if path.is_dir() else [path])[::every]:
            out = pathlib.Path(folder, one.stem + '.s')
            if one.suffix == '.s':
                out.write_text(one.read_text(errors='replace'))
            else:
                try:
                    done = subprocess.run(['llc-22', '-mtriple=amdgcn-amd-amdhsa', '-mcpu=' + chip, str(one), '-o', str(out)],
                                          capture_output=True, timeout=60)
                except subprocess.TimeoutExpired:
                    continue
                if done.returncode:
                    continue
            yield out


def least(into, waits):
    for counter, value in waits.items():
        into[counter] = min(into.get(counter, MOST), value)


def places(code):
    """The instructions but waits, and the counts that are waited for before each."""
    plain, waits, pending, at = [], [], {}, {}
    for number, inst in enumerate(code.instructions):
        at[number] = len(plain)
        counts = inst.waits()
        if counts or inst.name.startswith(('s_wait', 's_delay_alu', 's_nop')):
            least(pending, counts)
            continue
        plain.append(inst)
        waits.append(pending)
        pending = {}
    at[len(code.instructions)] = len(plain)
    return plain, waits, {label: at[number] for label, number in code.labels.items()}


def outstanding(plain, waits, labels, chip, isKernel):
    """Before each instruction, after the waits there: how many operations of each counter may be outstanding."""
    counters = sorted({counter for inst in plain for counter, _ in inst.counted(chip)})
    states = [None] * (len(plain) + 1)
    begin = {counter: 0 if isKernel else MOST for counter in counters}
    work = [(0, begin)]
    while work:
        at, state = work.pop()
        while at < len(plain):
            state = {c: min(n, waits[at].get(c, MOST)) for c, n in state.items()}
            if 'xcnt' in state:
                # Who has its result has read its address, too.
                state['xcnt'] = min(state['xcnt'], sum(state.get(c, 0) for c in ('loadcnt', 'storecnt', 'asynccnt', 'kmcnt')))
            old = states[at]
            if old is not None:
                state = {c: max(n, old[c]) for c, n in state.items()}
                if state == old:
                    break
            states[at] = state
            inst = plain[at]
            state = dict(state)
            for counter, _ in inst.counted(chip):
                state[counter] = min(state[counter] + 1, MOST) if state[counter] < 64 else MOST
            name = inst.name
            if name in ('s_swappc_b64', 's_swap_pc_i64'):
                state = {c: MOST for c in counters}
            if name in ('s_endpgm', 's_setpc_b64', 's_set_pc_i64'):
                break
            if name.startswith(('s_branch', 's_cbranch')):
                to = labels.get(inst.rest.strip())
                if name == 's_branch':
                    if to is None:
                        break
                    at = to
                    continue
                if to is not None:
                    work.append((to, state))
            at += 1
    return states


def reasons(inflight, file):
    """(counter, the line of the wait) -> (verdict, the line of what needs it) of the waits in a file."""
    run = subprocess.run([inflight, 'waits', '--report', '--format=json', str(file)], capture_output=True, text=True)
    return {(count['counter'], wait['line']): (count['verdict'], count.get('because', {}).get('use', {}).get('line'))
            for one in json.loads(run.stdout)['files'] for wait in one['waits'] for count in wait['counts']}


def why(known, counter, line, before, ordered):
    """Why a count stands before the instruction of the line; `before`: the line of the instruction before that."""
    found = [reason for (of, at), reason in known.items() if of == counter and before < at < line]
    if ordered or any(verdict == 'orders-memory' for verdict, _ in found):
        return 'order'
    return 'here' if not found or any(use == line for _, use in found) else 'on the way'


def isKept(kept, plain, labels, at, counter, value):
    """Whether stripped code waits for as few there, or further on in the block: for the order of memory."""
    begins = set(labels.values())
    for i in range(at, len(plain)):
        if kept[i].get(counter, MOST) <= value:
            return True
        if i + 1 in begins or plain[i].name.startswith(('s_branch', 's_cbranch', 's_endpgm')):
            return False
    return False


def compare(theirs, ours, chip, kernels, total, stripped, known):
    """What of ours is stricter: (function, place, counter, our count, theirs, why)."""
    for name, code in theirs.items():
        plain, waits, labels = places(code)
        mine, myWaits, _ = places(ours[name])
        kept = places(stripped[name])[1] if stripped else [{}] * len(plain)
        if [i.text for i in plain] != [i.text for i in mine]:
            yield name, None, 'other instructions', 0, 0, ''
            continue
        states = outstanding(plain, waits, labels, chip, name in kernels)
        for at, counts in enumerate(myWaits):
            if states[at] is None:
                continue
            for counter, value in counts.items():
                if counter not in states[at]:
                    continue
                total['ours'] += 1
                if waits[at].get(counter) == value:
                    total['the same'] += 1
                if value < states[at][counter]:
                    cause = why(known(), counter, mine[at].line, mine[at - 1].line if at else 0, isKept(kept, plain, labels, at, counter, value))
                    yield name, plain[at], counter, value, states[at][counter], cause
        total['llc'] += countsOf(waits, states)


def countsOf(waits, states):
    return sum(counter in states[at] for at, counts in enumerate(waits) if states[at] is not None for counter in counts)


def findings(inflight, files, places):
    """How many by rule; (file, line, counter) of each go to `places`."""
    out = collections.Counter()
    for i in range(0, len(files), 100):
        run = subprocess.run([inflight, 'waits', '--format=json', *map(str, files[i:i + 100])], capture_output=True, text=True)
        document = json.loads(run.stdout)
        for one in document.get('files', [document]):
            for finding in one['findings']:
                out[finding['rule']] += 1
                places.add((os.path.basename(one['file']), finding.get('line'), finding.get('counter')))
                if finding['rule'] != 'undecided':
                    print('%s:%s: %s' % (os.path.basename(one['file']), finding.get('line'), finding['message']))
    return out


def main():
    options = dict(re.match(r'--(\w+)=(.*)', a).groups() for a in sys.argv[1:] if a.startswith('--'))
    inflight, chip, *paths = [a for a in sys.argv[1:] if not a.startswith('--')]
    every, show = int(options.get('every', 1)), int(options.get('show', 40))
    total, stricter, refused = collections.Counter(), collections.Counter(), 0
    shown, inserted, read, found = 0, [], [], []
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as after:
        for file in assembly(paths, chip, folder, every):
            out = pathlib.Path(after, file.name)
            out.write_bytes(file.read_bytes())
            def edit(goal):
                return subprocess.run([inflight, 'waits', goal, '-i', str(out)], capture_output=True).returncode

            stripped = None
            if options.get('from') == 'stripped' and not edit('--strip'):
                stripped = interpret.functions(out.read_text(errors='replace'))
            if (options.get('from') == 'stripped') != (stripped is not None) or edit('--insert'):
                refused += 1
                continue
            read.append(file)
            inserted.append(out)
            text = file.read_text(errors='replace')
            kernels = set(re.findall(r'\.amdhsa_kernel (\S+)', text))
            known = functools.cache(lambda: reasons(inflight, out))
            for name, place, counter, mine, theirs, cause in compare(interpret.functions(text), interpret.functions(out.read_text(errors='replace')),
                                                                     chip, kernels, total, stripped, known):
                found.append((file.name, name, place, counter, mine, theirs, cause))
        lacking = set()
        print('llc\'s own:', dict(findings(inflight, read, lacking)))
        for file, name, place, counter, mine, theirs, cause in found:
            if place and (file, place.line, counter) in lacking:
                cause = 'llc lacks it'
            stricter[counter + (' where llc\'s is not known' if theirs >= MOST else ', ' + cause)] += 1
            if theirs < MOST and shown < show:
                shown += 1
                print('%s: %s:%s: %s(%s), llc leaves %s, %s: %s' %
                      (file, name, place and place.line, counter, mine, theirs, cause, place and place.text))
        missing = findings(inflight, inserted, set())
        print('inserted:', dict(missing))
    print('%s: %d files, %d refused; %d counts of llc\'s, %d inserted, %d of them the same; stricter: %s' %
          (chip, len(inserted), refused, total['llc'], total['ours'], total['the same'], dict(stricter) or 'none'))
    known = [kind for kind in stricter if 'known' not in kind]
    return bool(known or missing - collections.Counter({'undecided': missing['undecided']}))


if __name__ == '__main__':
    sys.exit(main())
