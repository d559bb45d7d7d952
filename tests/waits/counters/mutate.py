"""Whether `inflight waits` notices each wait of compiled code that is needed, by an interpreter that shares nothing with it.

  mutate.py INFLIGHT [--seed=N] [--walks=N] [--most=N] FILE.s...

One field of one wait at a time is deleted or weakened by one. Where a random path of the interpreter then uses a register
too early, `inflight waits` has to find something; where it finds a missing wait for certain, some path has to show it, but in
functions that call others, as the interpreter doesn't go there.
"""
import json, os, random, re, subprocess, sys, tempfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import interpret


def waitText(counter, value):
    if counter == 'vscnt':
        return 's_waitcnt_vscnt null, 0x%x' % value
    return 's_waitcnt %s(%d)' % (counter, value) if counter in ('vmcnt', 'lgkmcnt') else 's_wait_%s 0x%x' % (counter, value)


def variants(line):
    """The waits of a line, each with one count gone or one more: (counter, text)."""
    m = re.match(r'(\s*)(s_wait\w*)\s+(.*?)\s*(;.*|//.*)?$', line)
    if not m:
        return
    indent, name, rest = m.group(1), m.group(2), m.group(3)
    counts = interpret.Instruction(name + ' ' + rest, 0).waits()
    if name == 's_wait_idle':
        return
    for counter, value in counts.items():
        for now in (None, value + 1):
            left = dict(counts)
            left.pop(counter)
            if now is not None:
                left[counter] = now
            texts = []
            others = re.findall(r'depctr_(?!va_vdst|vm_vsrc)\w+\(\d+\)', rest)
            alu = ['depctr_%s(%d)' % (c, v) for c, v in left.items() if c in ('va_vdst', 'vm_vsrc')] + others
            if alu:
                texts.append('s_wait_alu ' + ' '.join(alu))
            texts += [waitText(c, v) for c, v in left.items() if c not in ('va_vdst', 'vm_vsrc')]
            # One line stays one line.
            yield counter, now, indent + ('\n' + indent).join(texts or ['s_nop 0'])


def verify(inflight, files):
    """File -> what is found in it: (line, rule, counter)."""
    out = {}
    for i in range(0, len(files), 50):
        run = subprocess.run([inflight, 'waits', '--format=json'] + files[i:i + 50], capture_output=True, text=True)
        if not run.stdout:
            sys.exit(run.stderr)
        document = json.loads(run.stdout)
        for one in document.get('files', [document]):
            out[one['file']] = {(f.get('line'), f['rule'], f.get('counter')) for f in one['findings']}
    return out


def found(text, seed, walks):
    chip = re.search(r'gfx\d+', text).group(0)
    out = set()
    for name, code in interpret.functions(text).items():
        rng = random.Random(seed)
        for _ in range(walks):
            out |= code.walk(rng, chip)
    return out


def linesOfCallers(text):
    """Of functions that call others."""
    return {inst.line for code in interpret.functions(text).values() if code.calls() for inst in code.instructions}


def main():
    options = dict(re.match(r'--(\w+)=(.*)', a).groups() for a in sys.argv[2:] if a.startswith('--'))
    seed, walks, most = int(options.get('seed', 1)), int(options.get('walks', 40)), int(options.get('most', 1 << 30))
    rng = random.Random(seed)
    failures = count = noticed = certain = unwalked = 0
    ofCounter = {}
    with tempfile.TemporaryDirectory() as temp:
        cases, files = [], []
        for path in (a for a in sys.argv[2:] if not a.startswith('--')):
            text = open(path).read()
            lines = text.split('\n')
            base, overCalls = found(text, seed, walks), linesOfCallers(text)
            mutants = [(n, v) for n, line in enumerate(lines) for v in variants(line)]
            rng.shuffle(mutants)
            for n, (counter, now, replacement) in mutants[:most]:
                changed = '\n'.join(lines[:n] + [replacement] + lines[n + 1:])
                file = os.path.join(temp, '%d.s' % len(files))
                open(file, 'w').write(changed)
                files.append(file)
                cases.append((path, n + 1, counter, now, found(changed, seed, walks), base, n + 1 in overCalls))
            files.append(path)
            cases.append((path, 0, None, None, base, base, False))
        results = verify(sys.argv[1], files)
        for file, (path, line, counter, now, bad, before, isOverCalls) in zip(files, cases):
            if file not in results:
                if line == 0:
                    print(path + ': left out: it has code for other chips, or none')
                continue
            if line:
                bad = bad - before
            # Of other counters something may be undecided all the time; what a wait ends besides is found as such.
            rules = {rule for at, rule, of in results[file]
                     if line == 0 or of == counter or any((at, of) == (use[0], use[1]) for use in bad)}
            where = '%s:%d: %s %s' % (path, line, counter, 'deleted' if now is None else 'weakened to %d' % now)
            if line == 0:
                # Whether addresses are ever translated again isn't known.
                certainly = {use for use in bad if use[1] != 'xcnt'}
                if bool(certainly) != bool(rules & {'missing-wait', 'counts-on-latency'}) or (bad and not rules):
                    print('%s: the interpreter finds %s, verify %s' % (path, sorted(bad)[:3], sorted(results[file])[:3]))
                    failures += 1
                continue
            count += bool(bad)
            noticed += bool(bad and rules)
            if bad:
                ofCounter[counter] = ofCounter.get(counter, 0) + 1
            certain += 'missing-wait' in rules
            if bad and not rules:
                print('%s: not noticed: %s' % (where, sorted(bad)[:3]))
                failures += 1
            # Stores have no registers: what waits for them keeps an order that the interpreter doesn't follow.
            if 'missing-wait' in rules and not bad and isOverCalls:
                unwalked += 1
            elif 'missing-wait' in rules and not bad and counter not in ('storecnt', 'vscnt'):
                print('%s: %s, but no path shows it' % (where, sorted(f for f in results[file] if f[2] == counter)[:3]))
                failures += 1
    print(', '.join('%s %d' % one for one in sorted(ofCounter.items())))
    print('%d mutants that some path shows, %d noticed; %d certain findings%s' %
          (count, noticed, certain, ', %d of them in functions that call others' % unwalked if unwalked else ''))
    return 1 if failures or not count else 0


if __name__ == '__main__':
    sys.exit(main())
