// Puts a meter into a WebAssembly module: an exported global `work` from which every function takes 1 where it begins, every loop 1
// in each round, and every copy 1 for each 32 bytes. A loop that follows pointers takes 16, because each may lie outside of every
// cache. The module traps once the number is below zero, so the number bounds all work of the module. Reads the instructions that
// LLVM writes for C and throws at any other.

const SECTION = { types: 1, functions: 3, globals: 6, exports: 7, code: 10 };
const GLOBAL = 3;
/** 2^31 − 1. */
const LARGEST = [0xff, 0xff, 0xff, 0xff, 0x07];
const I32 = 0x7f;
const EMPTY = 0x40;
const [UNREACHABLE, BLOCK, LOOP, IF, END, BR_TABLE, CALL_INDIRECT] = [0x00, 0x02, 0x03, 0x04, 0x0b, 0x0e, 0x11];
const [LOCAL_GET, LOCAL_SET, LOCAL_TEE, GLOBAL_GET, GLOBAL_SET] = [0x20, 0x21, 0x22, 0x23, 0x24];
const I32_LOAD = 0x28;
const [I32_CONST, I64_CONST, F32_CONST, F64_CONST] = [0x41, 0x42, 0x43, 0x44];
const [I32_LT_S, I32_ADD, I32_SUB, I32_SHR_U] = [0x48, 0x6a, 0x6b, 0x76];
/** Begins instructions of two numbers, the second of which is one of these from COPY on. */
const PREFIX = 0xfc;
const [SATURATING, COPY, FILL] = [7, 10, 11];
/** block, loop, if, br, br_if, call, those of locals and globals, memory.size and memory.grow, constants of integers. */
const WITH_NUMBER = [BLOCK, LOOP, IF, 0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x3f, 0x40, I32_CONST, I64_CONST];
/** unreachable, nop, else, return, drop, select; arithmetic is from 0x45 to 0xc4, loads and stores are from 0x28 to 0x3e. */
const ALONE = [UNREACHABLE, 0x01, 0x05, 0x0f, 0x1a, 0x1b];

/** The module with its meter, at the largest number, for a module may work as soon as it is there. */
export function withMeter(module) {
  const { imports, exports } = WebAssembly.Module;
  const compiled = new WebAssembly.Module(module);
  if (exports(compiled).some(({ name }) => name === 'work'))
    throw new Error('The module exports something named work.');
  const importedGlobals = imports(compiled).filter(({ kind }) => kind === 'global').length;
  const reader = new Reader(module, 8, module.length);
  const sections = [];
  while (!reader.isAtEnd) sections.push({ id: reader.byte(), body: reader.part(reader.number()) });
  const read = (id) => sections.find((section) => section.id === id).body.again();
  const parameters = read(SECTION.types).list(parametersOf);
  const functions = read(SECTION.functions).list((one) => parameters[one.number()]);
  const work = numberBytes(importedGlobals + read(SECTION.globals).number());
  const name = [...'work'].map((letter) => letter.charCodeAt(0));
  const changes = {
    [SECTION.globals]: (body) => [numberBytes(body.number() + 1), body.rest(), [I32, 1, I32_CONST, ...LARGEST, END]],
    [SECTION.exports]: (body) => [numberBytes(body.number() + 1), body.rest(), [name.length, ...name, GLOBAL, ...work]],
    [SECTION.code]: (body) => {
      const bodies = body.list((one, i) => sized(withCharges(one.part(one.number()), functions[i], work)));
      return [numberBytes(bodies.length), ...bodies.flat()];
    },
  };
  const parts = sections.flatMap(({ id, body }) => [[id], ...sized(changes[id]?.(body) ?? [body.rest()])]);
  return Buffer.concat([module.subarray(0, 8), ...parts.map((part) => Uint8Array.from(part))]);
}

/** Number of parameters of a function's type. */
function parametersOf(reader) {
  if (reader.byte() !== 0x60) throw new Error('A type of the module is not a function’s.');
  const count = reader.number();
  reader.part(count);
  reader.part(reader.number());
  return count;
}

const ROUND = 1;
const FOLLOWED = 16;
/** A loop around a choice among more than so many is an interpreter's. */
const CHOICES = 16;

/** Parts of a function's body, charged where it begins, in each round of a loop, and for what it copies. */
function withCharges(body, parameters, work) {
  let locals = parameters;
  const groups = body.list((one) => {
    const count = one.number();
    locals += count;
    return [...numberBytes(count), one.byte()];
  });
  // One more, in which a charge keeps a number.
  const kept = numberBytes(locals);
  const left = [GLOBAL_GET, ...work];
  const taken = (amount) => [
    ...[...left, I32_CONST, amount, I32_SUB, LOCAL_TEE, ...kept, GLOBAL_SET, ...work],
    ...[LOCAL_GET, ...kept, I32_CONST, 0, I32_LT_S, IF, EMPTY, UNREACHABLE, END],
  ];
  // The number of bytes is on the stack, and is left there.
  const shifted = [LOCAL_GET, ...kept, I32_CONST, 5, I32_SHR_U];
  const copied = [LOCAL_TEE, ...kept, ...left, ...shifted, I32_SUB, GLOBAL_SET, ...work];
  const parts = [numberBytes(groups.length + 1), ...groups, [1, I32], taken(ROUND)];
  let from = body.at;
  for (const { at, charge } of chargesOf(body)) {
    parts.push(body.between(from, at), charge === COPY ? copied : taken(charge()));
    from = at;
  }
  parts.push(body.between(from, body.at));
  return parts;
}

/** Places of a body that are charged, in order: before a copy, and where a loop begins, with what a round of it takes. */
function chargesOf(body) {
  const charges = [];
  const around = [];
  let rounds = new Rounds();
  while (!body.isAtEnd) {
    const { at } = body;
    const { code, operand } = readInstruction(body);
    if (code === COPY) charges.push({ at, charge: COPY });
    else if (code === LOOP) {
      around.push(rounds);
      const inner = new Rounds();
      charges.push({ at: body.at, charge: () => (inner.followsPointers ? FOLLOWED : ROUND) });
      rounds = inner;
    } else if (code === BLOCK || code === IF) around.push(rounds);
    else if (code === END) rounds = around.pop();
    else rounds.see(code, operand);
  }
  return charges;
}

/** Effect of a round of a loop: its moves to locals, without the loops in it. */
class Rounds {
  /** Locals by those that they are computed from; and which of those values came from memory. */
  #sources = new Map();
  #loaded = [];
  /** Local from which the value on the stack comes, and whether by way of memory. */
  #from = null;
  #isLoaded = false;
  #isInterpreter = false;

  see(code, operand) {
    if (code === BR_TABLE && operand > CHOICES) this.#isInterpreter = true;
    if ((code === LOCAL_SET || code === LOCAL_TEE) && this.#from !== null) {
      this.#sources.set(operand, [...(this.#sources.get(operand) ?? []), this.#from]);
      if (this.#isLoaded) this.#loaded.push([this.#from, operand]);
    }
    if (code === LOCAL_GET || code === LOCAL_TEE) {
      this.#from = operand;
      this.#isLoaded = false;
    } else if (code === I32_LOAD) this.#isLoaded = true;
    else if (code !== I32_CONST && code !== I32_ADD) this.#from = null;
  }

  /**
   * True where a local gets a value from memory at an address that came from that local: the next of a list, the parent of an
   * object.
   */
  get followsPointers() {
    return !this.#isInterpreter && this.#loaded.some(([from, to]) => this.#comesFrom(from, to, new Set()));
  }

  #comesFrom(local, source, seen) {
    if (local === source) return true;
    if (seen.has(local)) return false;
    seen.add(local);
    return (this.#sources.get(local) ?? []).some((one) => this.#comesFrom(one, source, seen));
  }
}

/** Goes over an instruction. Returns its code, COPY for what fills memory too, and the first number behind it. */
function readInstruction(reader) {
  const code = reader.byte();
  if (code === PREFIX) {
    const which = reader.number();
    if (which === COPY) reader.part(2);
    else if (which === FILL) reader.part(1);
    else if (which > SATURATING) throw new Error(`The module has the unknown instruction ${PREFIX} ${which}.`);
    return { code: which > SATURATING ? COPY : PREFIX, operand: 0 };
  }
  if (WITH_NUMBER.includes(code)) return { code, operand: reader.number() };
  if (code === BR_TABLE) {
    const operand = reader.number();
    reader.numbers(operand + 1);
    return { code, operand };
  }
  if (code === CALL_INDIRECT || (code >= I32_LOAD && code <= 0x3e)) reader.numbers(2);
  else if (code === F32_CONST) reader.part(4);
  else if (code === F64_CONST) reader.part(8);
  else if (code !== END && !ALONE.includes(code) && !(code >= 0x45 && code <= 0xc4)) {
    throw new Error(`The module has the unknown instruction ${code}.`);
  }
  return { code, operand: 0 };
}

/** Reads bytes from a place to an end. */
class Reader {
  #bytes;
  #from;
  #end;
  at;

  constructor(bytes, from, end) {
    this.#bytes = bytes;
    this.#from = from;
    this.#end = end;
    this.at = from;
  }

  get isAtEnd() {
    return this.at >= this.#end;
  }

  /** A reader of the same bytes, at their beginning. */
  again() {
    return new Reader(this.#bytes, this.#from, this.#end);
  }

  byte() {
    return this.#bytes[this.at++];
  }

  /** A number as LEB128 has it; of constants of 64 bits only the length matters. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  numbers(count) {
    for (let i = 0; i < count; i++) this.number();
  }

  /** What `read` gives for each item of a vector. */
  list(read) {
    const count = this.number();
    return Array.from({ length: count }, (_, i) => read(this, i));
  }

  /** A reader of the next bytes; goes over them. */
  part(length) {
    this.at += length;
    return new Reader(this.#bytes, this.at - length, this.at);
  }

  between(from, to) {
    return this.#bytes.subarray(from, to);
  }

  rest() {
    return this.between(this.at, this.#end);
  }
}

/** A number as LEB128 has it. */
function numberBytes(number) {
  return number < 128 ? [number] : [(number & 127) | 128, ...numberBytes(number >>> 7)];
}

/** Parts, and their length in bytes before them. */
function sized(parts) {
  return [numberBytes(parts.reduce((sum, { length }) => sum + length, 0)), ...parts];
}
