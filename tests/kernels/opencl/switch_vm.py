import numpy as np

PUSH, ADD, SUB, MUL, DUP, SWAP, JUMP_NZ, DEC, STORE, LOAD, NEG, AND, OR, XOR, SHL, LESS, HALT = range(17)
WRAP = lambda v: (v + 2**31) % 2**32 - 2**31


def interpret(code):
    stack, cells, pc, n = [], [0] * 4, 0, 0
    while n < 2000:
        n += 1
        op = code[pc]
        pc += 1
        if op == PUSH: stack.append(code[pc]); pc += 1
        elif op == DUP: stack.append(stack[-1])
        elif op == SWAP: stack[-1], stack[-2] = stack[-2], stack[-1]
        elif op == JUMP_NZ: pc = code[pc] if stack[-1] else pc + 1
        elif op == DEC: stack[-1] = WRAP(stack[-1] - 1)
        elif op == STORE: cells[code[pc] & 3] = stack.pop(); pc += 1
        elif op == LOAD: stack.append(cells[code[pc] & 3]); pc += 1
        elif op == NEG: stack[-1] = WRAP(-stack[-1])
        elif op == HALT: break
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(WRAP({ADD: a + b, SUB: a - b, MUL: a * b, AND: a & b, OR: a | b, XOR: a ^ b, SHL: a << (b & 31), LESS: int(a < b)}[op]))
    return stack[-1], n


def run(gpu):
    programs = []
    for i in range(64):
        factorial = [PUSH, 1, STORE, 0, PUSH, i % 9 + 1, DUP, LOAD, 0, MUL, STORE, 0, DEC, JUMP_NZ, 6, LOAD, 0, HALT]
        fibonacci = [PUSH, 0, STORE, 0, PUSH, 1, STORE, 1, PUSH, i % 20 + 1, LOAD, 0, LOAD, 1, DUP, STORE, 0, ADD, STORE, 1, DEC, JUMP_NZ, 10, LOAD, 1, HALT]
        line = [PUSH, i]
        for op in gpu.rng.choice([ADD, SUB, MUL, AND, OR, XOR, SHL, LESS], 12):
            line += [PUSH, int(gpu.rng.integers(-100, 100)), int(op)] + ([NEG] if op == XOR else [])
        programs.append([factorial, fibonacci, line + [HALT]][i % 3])
    starts = np.concatenate([[0], np.cumsum([len(p) for p in programs])[:-1]]).astype(np.int32)
    results, steps = np.zeros(64, np.int32), np.zeros(64, np.uint32)
    gpu.launch("interpret", [np.array(sum(programs, []), np.int32), starts, results, steps])
    want = [interpret(p) for p in programs]
    gpu.expect(results, [w[0] for w in want])
    gpu.expect(steps, [w[1] for w in want])

    x = gpu.rng.integers(0, 2**32, 64, dtype=np.uint32)
    for choice in range(9):
        out, want = np.zeros_like(x), []
        gpu.launch("dense_switch", [x, out, np.uint32(choice)])
        for v in map(int, x):
            r = 0
            for c in (choice, v % 9):
                s = (r + v) % 2**32
                r = [r + v * 3, r ^ v >> 2, s << 7 | s >> 25, r - v, r + bin(v).count("1"), r * (v | 1), r | 32 - v.bit_length(), v - r, r][c] % 2**32
            want.append(r)
        gpu.expect(out, np.array(want, np.uint32), what=f"choice {choice}")
