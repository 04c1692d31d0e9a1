/** The meter that QuickJS gets: it counts what a module does, and traps below zero. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withMeter } from '../../../scripts/meter.mjs';

/** A module with a memory and two functions of a number: `a` goes so many times round a loop, `b` fills so many bytes. */
const MODULE = Buffer.from(
  [
    '0061736d01000000',
    '01050160017f00',
    '0303020000',
    '0503010001',
    '0606017f0141000b',
    '070902016100000162 0001',
    '0a1c02 0e00034020004101 6b22000d000b0b 0b0041004100 2000fc0b000b',
  ]
    .join('')
    .replaceAll(' ', ''),
  'hex',
);

interface Exports {
  readonly work: WebAssembly.Global<'i32'>;
  a(rounds: number): void;
  b(bytes: number): void;
}

const instantiate = (): Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(withMeter(MODULE))).exports as unknown as Exports;

test('a call, each round of a loop, and each 32 bytes that are written count', () => {
  const { work, a, b } = instantiate();
  expect(work.value).toBe(2 ** 31 - 1);
  work.value = 1000;
  a(7);
  expect(work.value).toBe(1000 - 8);
  b(6400);
  expect(work.value).toBe(1000 - 8 - 201);
});

test('a loop ends where the work does', () => {
  const { work, a } = instantiate();
  work.value = 500;
  expect(() => a(1e9)).toThrow(WebAssembly.RuntimeError);
  expect(work.value).toBe(-1);
});

test('a module that has one, or instructions that are not known, is refused', () => {
  expect(() => withMeter(withMeter(MODULE))).toThrow(/exports something named work/);
  // Those of vectors.
  expect(() => withMeter(readFileSync('src/tensor/cpu/kernels.wasm'))).toThrow(/unknown instruction 253/);
});
