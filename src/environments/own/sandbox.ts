/**
 * The sandbox of worlds that people write: QuickJS compiled to WebAssembly. A text runs there with nothing but the language:
 * no page, network, clock, or randomness but what is handed in. Memory, stack and the time of a call are bounded. What goes
 * wrong is a LabError 'invalid-world' with the function, and the line where it is known.
 */
import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  type Intrinsics,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  type VmCallResult,
} from 'quickjs-emscripten-core';
import { LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import { type Failure, WorldError } from './failure';
import DICE from './guest/dice.js?raw';
import GUARDS from './guest/guards.js?raw';
import SERVE from './guest/serve.js?raw';
import WALKS from './guest/walks.js?raw';
import { Patience } from './patience';
import { findCounter, soon } from './questions';

/** Bounds of one text in the sandbox. */
const MEMORY = 16 * 2 ** 20;
const STACK = 256 * 2 ** 10;
/** Milliseconds of a call; a call with many lines gets more for each of them. */
const PATIENCE = 2000;
const PATIENCE_A_LINE = 20;
/** Lines of one crossing at most. */
const MOST_LINES = 64;
/** Texts that are in memory at once; the one used longest ago makes room, and is read again when it is needed. */
const MOST_OPEN = 6;

/** Parts of the language. Without Date there is no clock; big numbers and typed arrays can be worked on without end. */
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

let quickjs: QuickJSWASMModule | null = null;
/** Place of the counter of its questions: the same in every context. */
let counter = 0;

/** Compiles QuickJS, once; again where a text has broken the one that was there. */
export async function openQuickJs(): Promise<void> {
  // The error says what it prints when it breaks.
  const silent = { emscriptenModule: { printErr: () => {} } as object };
  if (quickjs !== null) return;
  const made = await newQuickJSWASMModuleFromVariant(newVariant(variant, silent));
  counter = findCounter(made);
  quickjs ??= made;
}

/** False before it was compiled, and after a text has broken it. */
export const isQuickJsOpen = (): boolean => quickjs !== null;

/** One text that is being run. */
class Machine {
  readonly module: QuickJSWASMModule;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #serve: QuickJSHandle;
  #patience: Patience;

  /** Reads the text. Throws WorldError. */
  constructor(module: QuickJSWASMModule, text: string, patience: Patience) {
    this.module = module;
    this.#patience = patience;
    this.#runtime = module.newRuntime({ memoryLimitBytes: MEMORY, maxStackSizeBytes: STACK });
    this.#context = this.#runtime.newContext({ intrinsics: INTRINSICS });
    const askSoon = soon(module, counter, this.#context);
    this.#runtime.setInterruptHandler(() => {
      askSoon();
      return this.#patience.isOver();
    });
    try {
      this.#serve = this.#guarded('', () => {
        const used: QuickJSHandle[] = [];
        try {
          const read = (script: string): QuickJSHandle => this.#value('', this.#context.evalCode(script, 'lab.js'));
          for (const script of [SERVE, GUARDS, DICE]) used.push(read(script));
          read(WALKS).dispose();
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
  ask(command: string, lines: readonly string[], patience: Patience): string {
    const context = this.#context;
    this.#patience = patience;
    return this.#guarded(command, () => {
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
    if (this.module !== quickjs) return;
    try {
      this.#serve?.dispose();
      this.#context.dispose();
      this.#runtime.dispose();
    } catch {
      // A text that ran out of memory cannot always be freed: the next text gets a new QuickJS.
      quickjs = null;
    }
  }

  /** Faults of QuickJS itself (its own stack or memory) leave it broken, so that nothing of it is used again. */
  #guarded<T>(command: string, call: () => T): T {
    pulse(command);
    try {
      return call();
    } catch (cause) {
      if (cause instanceof WorldError) throw cause;
      quickjs = null;
      throw new WorldError(OUT_OF_MEMORY, command, { cause });
    }
  }

  #value(command: string, result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    if (result.error === undefined) return result.value;
    const thrown: unknown = this.#context.dump(result.error);
    result.error.dispose();
    throw new WorldError(failureOf(thrown), command);
  }
}

const OUT_OF_MEMORY: Failure = { kind: 'InternalError', message: 'out of memory', stack: '' };

/** Failure of something thrown; null where there was no memory left for an error. */
function failureOf(thrown: unknown): Failure {
  if (thrown === null) return OUT_OF_MEMORY;
  if (typeof thrown !== 'object') return { kind: 'thrown', message: String(thrown), stack: '' };
  const { name, kind = name, message, stack } = thrown as Record<string, unknown>;
  return { kind: String(kind), message: String(message), stack: String(stack ?? '') };
}

/** Failure in an answer. The text could have changed how answers are written. */
function failureIn(line: string): Failure {
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
  /** Milliseconds of a call. */
  readonly #patience: number;
  #machine: Machine | null = null;

  constructor(text: string, begin: readonly [command: string, line: string] | null, patience = PATIENCE) {
    this.text = text;
    this.#begin = begin;
    this.#patience = patience;
  }

  /**
   * Gives lines of JSON to a command of guest/serve.js and returns the answers, one a line: a value's JSON, or what was
   * thrown. Throws WorldError where the whole call fails: it found no memory, or no end.
   */
  ask(command: string, lines: readonly string[]): (string | Failure)[] {
    const answers: (string | Failure)[] = [];
    for (let from = 0; from < lines.length; from += MOST_LINES) {
      const some = lines.slice(from, from + MOST_LINES);
      const machine = this.#run();
      const answer = this.#timed(some.length, (patience) => machine.ask(command, some, patience));
      for (const line of answer.split('\n')) {
        answers.push(line.startsWith('=') ? line.slice(1) : failureIn(line));
      }
    }
    if (answers.length === lines.length) return answers;
    throw new WorldError({ kind: 'InternalError', message: 'answers are missing', stack: '' }, command);
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

  /** A call with its patience: so much, and more for each line. */
  #timed<T>(lines: number, call: (patience: Patience) => T): T {
    return call(new Patience(this.#patience + PATIENCE_A_LINE * lines));
  }

  #run(): Machine {
    if (this.#machine !== null && this.#machine.module === quickjs) return this.#machine;
    this.close();
    if (quickjs === null) throw new LabError('invalid-world', 'The sandbox of worlds is not open.', 'Open it again.');
    while (open.length >= MOST_OPEN) open[0]?.close();
    const module = quickjs;
    const machine = this.#timed(0, (patience) => new Machine(module, this.text, patience));
    if (this.#begin !== null) {
      const [command, line] = this.#begin;
      const answer = this.#timed(1, (patience) => machine.ask(command, [line], patience));
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
