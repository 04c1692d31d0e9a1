/** Errors of a user's world, with the place in its file. */
import { excerpt, LabError } from '../../../foundation/errors';

/** Exception of a text, in its own words; nothing in it is trusted. */
export interface WorldException {
  readonly kind: string;
  readonly message: string;
  readonly stack: string;
}

/** Place in the world's file, from 1; 0 where it is not known. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export const NOWHERE: SourcePosition = { line: 0, column: 0 };

interface Told extends ErrorOptions {
  /** Words to say instead of the thrown ones. */
  readonly what?: string;
  readonly isExhausting?: boolean;
  readonly meant?: Meant;
}

/** Declared word that is nearest to one that was said and is not declared. */
export interface Meant {
  readonly word: string;
  /** True for a word that the file's `words` list has, and that is not among actions or thoughts. */
  readonly isSaid: boolean;
}

export class WorldError extends LabError implements SourcePosition {
  readonly line: number;
  readonly column: number;
  /** Message without the line. */
  readonly plain: string;
  /** True where it used up the time or the memory of a call. */
  readonly isExhausting: boolean;
  readonly meant: Meant | null;

  /** `command`: function of the world's file that was called. */
  constructor(failure: WorldException | SourcePosition, command: string, options?: Told) {
    const place = 'stack' in failure ? placeIn(failure.stack) : failure;
    const plain = options?.what ?? ('stack' in failure ? inWords(failure, command) : '');
    const where = place.line === 0 ? '' : ` (line ${place.line})`;
    const end = options?.meant === undefined ? '.' : `; did you mean “${options.meant.word}”?`;
    super('invalid-world', `${plain}${where}${end}`, 'Correct the world’s file.', options);
    this.plain = plain;
    this.isExhausting = 'stack' in failure ? EXHAUSTED.has(failure.message) : options?.isExhausting === true;
    this.meant = options?.meant ?? null;
    this.line = place.line;
    this.column = place.column;
  }
}

/** Innermost place in the world's own file that a stack names. */
function placeIn(stack: string): SourcePosition {
  const [, line = '0', column = '0'] = /world\.js:(\d{1,6}):(\d{1,6})/.exec(stack) ?? [];
  return { line: Number(line), column: Number(column) };
}

/** Messages of QuickJS where a call used up its time, or its memory. */
const [INTERRUPTED, OUT_OF_MEMORY] = ['interrupted', 'out of memory'];
const EXHAUSTED: ReadonlySet<string> = new Set([INTERRUPTED, OUT_OF_MEMORY]);

/** Names of the functions that run for a request of the host. */
const RUNNING: Readonly<Record<string, string>> = {
  create: 'create()',
  begin: 'task() or start()',
  step: 'step()',
  expert: 'expert()',
  draw: 'draw()',
  probe: 'probe()',
  progress: 'progress()',
  think: 'think()',
  answer: 'answer()',
};

/** Name of the function that ran for a command of the host. */
export const ranFor = (command: string): string => RUNNING[command] ?? 'The world’s file';

function inWords({ kind, message, stack }: WorldException, command: string): string {
  const [, inner] = /^\s*at (\w[\w.]*) \(world\.js/m.exec(stack) ?? [];
  const running = inner === undefined || inner === 'anonymous' ? ranFor(command) : `${excerpt(inner, 40)}()`;
  if (message === INTERRUPTED) return `${running} did not come to an end`;
  if (message === OUT_OF_MEMORY) return `${running} needs more memory than a world may have`;
  const said = excerpt(message, 300).replace(/\.$/, '');
  return kind === 'thrown' ? `${running} threw “${said}”` : `${running}: ${excerpt(kind, 40)}: ${said}`;
}
