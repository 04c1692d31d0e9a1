/**
 * The parts of the objective (segments, policy loss, regularisers, world-model loss) in the two dispatches that GPUs make
 * of them: each waits for the next. Parts that do not follow one another are dispatched alone, as on software.
 */
import type { Rows, Tensor } from '../backend';
import type { Recorder } from './recorder';

/** A part, together with those before it. */
export interface ObjectivePart {
  /** Number of the part, from 0. */
  readonly part: 0 | 1 | 2 | 3;
  /** Tensor by which the next part follows. */
  readonly out: Tensor;
  readonly rows: Rows;
  readonly context: number;
  readonly tensors: Readonly<Record<string, Tensor>>;
  /** Dispatches each part alone. */
  alone(): void;
}

const LAST = 3;
/** Places in a batch that the first dispatch can pass on to the second, as float32. */
const MOST_PLACES = 2 ** 24;

/** `before`: tensor by which the part follows the one before it; null for the first. */
export function recordPart(recorder: Recorder, before: Tensor | null, present: ObjectivePart): void {
  const waiting = before === null ? null : recorder.take(before, present.rows);
  const whole = present.part === 0 ? present : joinParts(waiting?.objective, present);
  if (whole === null) {
    waiting?.alone();
    present.alone();
    return;
  }
  const { part, rows, context, tensors } = whole;
  if (part < LAST) {
    recorder.wait({ ...whole, objective: whole });
    return;
  }
  recorder.threads('policy_objective/segments_tiled', rows.capacity, { tensors, rows, params: { context } });
  recorder.threads('policy_objective/objective_tiled', rows.capacity, { tensors, rows });
}

/** Both as one; null where they do not agree. */
function joinParts(before: ObjectivePart | undefined, present: ObjectivePart): ObjectivePart | null {
  if (before === undefined || before.part + 1 !== present.part || before.context !== present.context) return null;
  const tensors = { ...before.tensors, ...present.tensors };
  if (Object.entries(before.tensors).some(([name, tensor]) => tensors[name] !== tensor)) return null;
  if ((tensors.oldLogProb?.stride ?? 0) > MOST_PLACES) return null;
  const alone = (): void => {
    before.alone();
    present.alone();
  };
  return { ...present, tensors, alone };
}
