/**
 * Rate at which QuickJS asks whether a call goes on. It counts jumps and calls down from ten thousand, and a body that copies an array of
 * 300,000 elements makes that minutes. The library has no setting for it, but the counter lies in the context's memory: whoever
 * is asked sets it lower.
 */
import type { QuickJSContext, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { LabError } from '../../foundation/errors';

/** Jumps and calls between two questions. */
const EVERY = 100;
/** Words of 32 bits at the beginning of a context in which the counter is looked for. */
const LOOKED_AT = 128;
/** Jumps of a loop by which it is recognized. */
const JUMPS = 1000;

const firstWord = (context: QuickJSContext): number =>
  (context as unknown as { readonly ctx: { readonly value: number } }).ctx.value >> 2;

/**
 * Words between a context's beginning and its counter: the one that falls by the same number in each of three equal loops. Throws
 * LabError 'invalid-world' where none does, or several: then no text may run.
 */
export function findCounter(module: QuickJSWASMModule): number {
  const context = module.newContext();
  try {
    const words = (): number[] => {
      context.unwrapResult(context.evalCode(`for (let i = 0; i < ${JUMPS}; i++);`)).dispose();
      const from = firstWord(context);
      return [...new Int32Array(module.getWasmMemory().buffer).subarray(from, from + LOOKED_AT)];
    };
    const [first = [], second = [], third = [], fourth = []] = [words(), words(), words(), words()];
    const found = first.flatMap((word, i) => {
      const fall = word - (second[i] as number);
      const isEven = fall === (second[i] as number) - (third[i] as number);
      const isCounter = isEven && fall === (third[i] as number) - (fourth[i] as number);
      return isCounter && fall >= JUMPS && fall < 3 * JUMPS ? [i] : [];
    });
    const [counter] = found;
    if (found.length === 1 && counter !== undefined) return counter;
    throw new LabError('invalid-world', 'The sandbox of worlds cannot be bounded.', 'Reload the page.');
  } finally {
    context.dispose();
  }
}

/** Returns what lets a context ask again soon, to be called at every question. */
export function soon(module: QuickJSWASMModule, counter: number, context: QuickJSContext): () => void {
  const memory = module.getWasmMemory();
  const word = firstWord(context) + counter;
  let words = new Int32Array(memory.buffer);
  return () => {
    // Memory that has grown is another buffer.
    if (words.buffer !== memory.buffer) words = new Int32Array(memory.buffer);
    words[word] = EVERY;
  };
}
