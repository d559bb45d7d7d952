// An interpreter of a stack machine: a jump table, with every lane at another place of another program.
enum { PUSH, ADD, SUB, MUL, DUP, SWAP, JUMP_NZ, DEC, STORE, LOAD, NEG, AND, OR, XOR, SHL, LESS, HALT };
kernel void interpret(global const int *programs, global const int *starts, global int *results, global uint *steps) {
  uint id = get_global_id(0);
  global const int *code = programs + starts[id];
  int stack[16], cells[4] = {0, 0, 0, 0}, sp = 0, pc = 0, t;
  uint n = 0;
  for (bool running = true; running && n < 2000; ++n) {
    switch (code[pc++]) {
    case PUSH: stack[sp++] = code[pc++]; break;
    case ADD: --sp; stack[sp - 1] += stack[sp]; break;
    case SUB: --sp; stack[sp - 1] -= stack[sp]; break;
    case MUL: --sp; stack[sp - 1] *= stack[sp]; break;
    case DUP: stack[sp] = stack[sp - 1]; ++sp; break;
    case SWAP: t = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = t; break;
    case JUMP_NZ: t = code[pc++]; if (stack[sp - 1]) pc = t; break;
    case DEC: --stack[sp - 1]; break;
    case STORE: cells[code[pc++] & 3] = stack[--sp]; break;
    case LOAD: stack[sp++] = cells[code[pc++] & 3]; break;
    case NEG: stack[sp - 1] = -stack[sp - 1]; break;
    case AND: --sp; stack[sp - 1] &= stack[sp]; break;
    case OR: --sp; stack[sp - 1] |= stack[sp]; break;
    case XOR: --sp; stack[sp - 1] ^= stack[sp]; break;
    case SHL: --sp; stack[sp - 1] <<= stack[sp] & 31; break;
    case LESS: --sp; stack[sp - 1] = stack[sp - 1] < stack[sp]; break;
    default: running = false;
    }
  }
  results[id] = stack[sp - 1];
  steps[id] = n;
}
kernel void dense_switch(global const uint *in, global uint *out, uint uniform_choice) {
  // The same switch taken by all lanes (a scalar jump table) and by each lane its own way.
  uint i = get_global_id(0), x = in[i], r = 0;
  for (int pass = 0; pass < 2; ++pass) {
    switch (pass ? x % 9 : uniform_choice) {
    case 0: r += x * 3; break;
    case 1: r ^= x >> 2; break;
    case 2: r = rotate(r + x, 7u); break;
    case 3: r -= x; break;
    case 4: r += popcount(x); break;
    case 5: r *= x | 1; break;
    case 6: r |= clz(x); break;
    case 7: r = x - r; break;
    }
  }
  out[i] = r;
}
