/** Answers of `step` out of the sandbox, checked: nothing in them is trusted. */
import type { Description } from './description';
import { readObject, refuse, refuseField } from './reading';
import { isRoll, type Roll } from './rolls';
import { saidTokens } from './text/said';

/** Outcome of a step, but for the state after it. */
export interface StepOutcome {
  readonly say: readonly number[];
  readonly warn: readonly number[];
  readonly reward: number;
  readonly done: boolean;
  readonly success: boolean;
  /** Floor told by the world, nats; NaN where it told none. */
  readonly floor: number;
}

export interface StepAnswer extends StepOutcome {
  /** Every roll with its outcome; null if one has too many outcomes to be remembered. */
  readonly rolls: readonly (readonly [roll: Roll, outcome: number])[] | null;
  /** The whole answer, with the state. */
  readonly line: Readonly<Record<string, unknown>>;
}

/** Largest reward or floor, either way: sums of squares of a batch stay finite in 32 bits, and a gradient with them. */
const LARGEST = 1e15;
/** Rolls of a step that are remembered at most. */
const MOST_ROLLS = 1024;

const STEP_FIELDS = ['state', 'say', 'warn', 'reward', 'done', 'success', 'floor'] as const;

/** Throws WorldError for an answer that is none. */
export function readAnswer(answer: string, world: Description): StepAnswer {
  const line = readObject(answer, 'What step() returns');
  if (typeof line.told !== 'object' || line.told === null) refuse('step() returned no object');
  const { say, warn, reward, done, success, floor, ...more } = line.told as Readonly<Record<string, unknown>>;
  const [strange] = Object.keys(more);
  if (strange !== undefined) refuseField('step()', strange, 'step', STEP_FIELDS);
  const isOver = done === true || success === true;
  const { said, warned } = saidTokens({ say: say ?? [], warn: warn ?? [] }, isOver, world);
  const { answer: most } = world.longest;
  const length = said.length + warned.length;
  const unit = world.text === null ? 'words' : 'tokens';
  if (length > most) refuse(`step() said ${length} ${unit}, and longest.answer is ${most}`);
  if (length === 0 && done !== true) refuse('step() said nothing: every action needs an answer');
  for (const [name, value] of Object.entries({ reward, floor })) {
    if (value !== undefined && typeof value !== 'number') refuse(`step() returns a ${name} that is no number`);
  }
  for (const [name, value] of Object.entries({ done, success })) {
    if (value !== undefined && typeof value !== 'boolean') refuse(`step() returns ${name}, neither true nor false`);
  }
  for (const [name, value] of Object.entries({ reward, floor })) {
    if (typeof value !== 'number' || Math.abs(value) <= LARGEST) continue;
    refuse(`step() returns a ${name} of ${value}, and the lab counts to ${LARGEST} either way`);
  }
  if (typeof floor === 'number' && floor < 0) refuse(`step() returns a floor below 0 (${floor})`);
  const log: unknown[] = Array.isArray(line.log) ? line.log : [null];
  const won = success === true;
  return {
    line,
    rolls: log.length <= MOST_ROLLS && log.every(isRoll) ? log : null,
    say: said,
    warn: warned,
    reward: typeof reward === 'number' ? reward : won ? 1 : 0,
    done: isOver,
    success: won,
    floor: typeof floor === 'number' ? floor : Number.NaN,
  };
}
