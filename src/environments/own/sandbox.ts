/**
 * The sandbox of worlds that people write: QuickJS compiled to WebAssembly. A text runs there with nothing but the language:
 * no page, network, clock, or randomness but what is handed in. Memory, stack and the work of a call are bounded. What goes
 * wrong is a LabError 'invalid-world' with the function, and the line where it is known.
 */
import type { Intrinsics, QuickJSContext, QuickJSHandle, QuickJSRuntime, VmCallResult } from 'quickjs-emscripten-core';
import { LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import { type SandboxEngine, startEngine } from './engine';
import { WorldError, type WorldException } from './examine/failure';
import DICE from './guest/dice.js?raw';
import SERVE from './guest/serve.js?raw';

/** Bounds of one text in the sandbox. */
const MEMORY = 16 * 2 ** 20;
const STACK = 256 * 2 ** 10;
/** Work of a call (engine.ts); a call with many lines gets more for each of them. */
export const WORK = 2e8;
export const WORK_A_LINE = 2e6;
/** Work to look for the line at which a call was ended. */
const LOOK = 1e6;
/** Lines of one crossing at most. */
export const MOST_LINES = 64;
/** Characters of a stack at most: who wrote the text may have written the stack too, and expressions look for places in it. */
const MOST_STACK = 4096;
/** Texts that are in memory at once; the one used longest ago makes room, and is read again when it is needed. */
const MOST_OPEN = 6;

/** Parts of the language. Without Date there is no clock; worlds need no typed arrays, proxies and big numbers. */
const INTRINSICS: Intrinsics = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  JSON: true,
  MapSet: true,
  Date: false,
  Proxy: false,
  TypedArrays: false,
  // Modules need them; nothing that waits is ever gone on with.
  Promise: true,
  BigInt: false,
};

let engine: SandboxEngine | null = null;

/** Starts QuickJS, once; again where a text has broken the one that was there. */
export async function openQuickJs(): Promise<void> {
  if (engine !== null) return;
  const started = await startEngine();
  engine ??= started;
}

/** False before it was started, and after a text has broken it. */
export const isQuickJsOpen = (): boolean => engine !== null;

/** One text that is being run. */
class Machine {
  readonly engine: SandboxEngine;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #serve: QuickJSHandle;

  /** Reads the text. Throws WorldError. */
  constructor(engine: SandboxEngine, text: string, work: number) {
    this.engine = engine;
    engine.meter.allow(work);
    this.#runtime = engine.module.newRuntime({ memoryLimitBytes: MEMORY, maxStackSizeBytes: STACK });
    this.#context = this.#runtime.newContext({ intrinsics: INTRINSICS });
    this.#runtime.setInterruptHandler(() => engine.meter.isSpent);
    try {
      this.#serve = this.#guarded('', work, () => {
        const used: QuickJSHandle[] = [];
        try {
          const read = (script: string): QuickJSHandle => this.#value('', this.#context.evalCode(script, 'lab.js'));
          for (const script of [SERVE, DICE]) used.push(read(script));
          used.push(this.#value('', this.#context.evalCode(text, 'world.js', { type: 'module' })));
          const [bind, ...given] = used as [QuickJSHandle, ...QuickJSHandle[]];
          return this.#value('', this.#context.callFunction(bind, this.#context.undefined, ...given));
        } finally {
          for (const handle of used) handle.dispose();
        }
      });
    } catch (cause) {
      this.dispose();
      throw cause;
    }
  }

  /** Answer of a command of guest/serve.js to lines of JSON. Throws WorldError. */
  ask(command: string, lines: readonly string[], work: number): string {
    const context = this.#context;
    return this.#guarded(command, work, () => {
      const given = [context.newString(command), context.newString(lines.join('\n'))];
      try {
        const value = this.#value(command, context.callFunction(this.#serve, context.undefined, ...given));
        given.push(value);
        return context.getString(value);
      } finally {
        for (const handle of given) handle.dispose();
      }
    });
  }

  dispose(): void {
    if (this.engine !== engine) return;
    engine.meter.allow(WORK);
    try {
      this.#serve?.dispose();
      this.#context.dispose();
      this.#runtime.dispose();
    } catch {
      // A text that ran out of memory cannot always be freed: the next text gets a new QuickJS.
      engine = null;
    }
  }

  /** Faults of QuickJS itself (its own stack or memory, a trap of its meter) leave it broken, so that it is not used again. */
  #guarded<T>(command: string, work: number, call: () => T): T {
    const { meter } = this.engine;
    pulse(command);
    meter.allow(work);
    try {
      return call();
    } catch (cause) {
      if (cause instanceof WorldError) throw cause;
      engine = null;
      const failure = meter.hasTrapped ? failureOf({ ...INTERRUPTED, stack: this.#stack() }) : OUT_OF_MEMORY;
      throw new WorldError(failure, command, { cause });
    }
  }

  /** Stack of the text when QuickJS trapped, from its memory; empty where that has none. */
  #stack(): string {
    this.engine.meter.allow(LOOK);
    try {
      const stack = this.#context.evalCode('new Error().stack', 'lab.js');
      return 'value' in stack ? this.#context.getString(stack.value) : '';
    } catch {
      return '';
    }
  }

  #value(command: string, result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (result.error === undefined) return result.value;
    const { error } = result;
    const isText = this.#context.typeof(error) === 'string';
    const thrown: unknown = this.#context.dump(error);
    error.dispose();
    // Without memory an error is an empty text.
    if (thrown === '' && !isText) throw new WorldError(OUT_OF_MEMORY, command);
    throw new WorldError(failureOf(thrown), command);
  }
}

const OUT_OF_MEMORY: WorldException = { kind: 'InternalError', message: 'out of memory', stack: '' };
const INTERRUPTED: WorldException = { kind: 'InternalError', message: 'interrupted', stack: '' };

/** Failure of something thrown; null where there was no memory left for an error. */
function failureOf(thrown: unknown): WorldException {
  if (thrown === null) return OUT_OF_MEMORY;
  if (typeof thrown !== 'object') return { kind: 'thrown', message: String(thrown), stack: '' };
  const { name, kind = name, message, stack } = thrown as Record<string, unknown>;
  return { kind: String(kind), message: String(message), stack: String(stack ?? '').slice(0, MOST_STACK) };
}

/** Failure in an answer. The text could have changed how answers are written. */
function failureIn(line: string): WorldException {
  try {
    return failureOf(JSON.parse(line.slice(1)));
  } catch {
    return { kind: 'InternalError', message: 'the answer cannot be read', stack: '' };
  }
}

const open: Guest[] = [];

/** A world's text in the sandbox. It keeps nothing between calls, so that it may be closed and read again at any time. */
export class Guest {
  readonly text: string;
  /** Command and line to repeat whenever the text has been read: `create` and the settings. */
  readonly #begin: readonly [command: string, line: string] | null;
  /** Work of a call. */
  readonly #work: number;
  #machine: Machine | null = null;

  constructor(text: string, begin: readonly [command: string, line: string] | null, work = WORK) {
    this.text = text;
    this.#begin = begin;
    this.#work = work;
  }

  /**
   * Gives lines of JSON to a command of guest/serve.js and returns the answers, one a line: a value's JSON, or what was
   * thrown. Throws WorldError where the whole call fails: it found no memory, or no end.
   */
  ask(command: string, lines: readonly string[]): (string | WorldException)[] {
    const answers: (string | WorldException)[] = [];
    for (let from = 0; from < lines.length; from += MOST_LINES) {
      const some = lines.slice(from, from + MOST_LINES);
      const machine = this.#run();
      const answer = this.#measured(some.length, (work) => machine.ask(command, some, work));
      // Before anything is done with each: a text that changed how answers are written may give millions.
      const told = answer.split('\n', some.length + 1);
      if (told.length !== some.length) {
        throw new WorldError({ kind: 'InternalError', message: 'answers are missing', stack: '' }, command);
      }
      for (const line of told) answers.push(line.startsWith('=') ? line.slice(1) : failureIn(line));
    }
    return answers;
  }

  /** Value of one line. Throws WorldError. */
  value(command: string, line: string): string {
    const [answer] = this.ask(command, [line]);
    if (typeof answer === 'string') return answer;
    throw new WorldError(answer ?? OUT_OF_MEMORY, command);
  }

  close(): void {
    if (open.includes(this)) open.splice(open.indexOf(this), 1);
    this.#machine?.dispose();
    this.#machine = null;
  }

  /** A call with its work: so much, and more for each line. */
  #measured<T>(lines: number, call: (work: number) => T): T {
    return call(this.#work + WORK_A_LINE * lines);
  }

  #run(): Machine {
    if (this.#machine !== null && this.#machine.engine === engine) return this.#machine;
    this.close();
    if (engine === null) throw new LabError('invalid-world', 'The sandbox of worlds is not open.', 'Open it again.');
    while (open.length >= MOST_OPEN) open[0]?.close();
    const started = engine;
    const machine = this.#measured(0, (work) => new Machine(started, this.text, work));
    if (this.#begin !== null) {
      const [command, line] = this.#begin;
      const answer = this.#measured(1, (work) => machine.ask(command, [line], work));
      if (answer.startsWith('!')) {
        machine.dispose();
        throw new WorldError(failureIn(answer), command);
      }
    }
    this.#machine = machine;
    open.push(this);
    return machine;
  }
}
