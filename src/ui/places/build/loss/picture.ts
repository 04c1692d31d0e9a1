/**
 * Loss and slope of one token as its log-prob moves: against the ratio to the policy before the update where the text reads
 * that policy, else against the token's probability; for an advantage of 1 and of −1 where it reads an advantage.
 */
import type { Formula } from '../../../../formula/compile';
import { parameterRow } from '../../../../formula/packing';
import { evaluateTape, type Inputs, type Structure } from '../../../../formula/tape';
import { INPUTS, type InputName } from '../../../../formula/vocabulary';

export interface PicturePoint {
  readonly at: number;
  /** Loss; null where it is not finite. */
  readonly loss: number | null;
  /** ∂loss/∂(log-prob of the token). */
  readonly slope: number | null;
}

export interface PictureSide {
  /** Sign of the advantage; null where the text reads none. */
  readonly advantage: 1 | -1 | null;
  readonly points: readonly PicturePoint[];
}

export interface Picture {
  readonly across: 'ratio' | 'probability';
  readonly sides: readonly PictureSide[];
  /** Place where a value is not finite, in words; null if nowhere. */
  readonly gap: string | null;
  /** True if the loss makes the token less likely wherever it does anything, without an advantage that says which way. */
  readonly isAway: boolean;
}

/** Role of the token that is drawn. */
export type DrawnRole = 'action' | 'observation';

/** Probability of the token before the update, and everywhere under the reference and in decoding. */
export const BEFORE = 0.4;
const POINTS = 161;
/** Points where the text reduces over the batch: each costs an evaluation of its own. */
const FEW = 41;
const LAST = { ratio: 2, probability: 1 } as const;

type Given = Partial<Readonly<Record<InputName, number>>>;

/** Values of the inputs that a text may read besides log-probs, the advantage and the token's role. */
const GIVEN: Given = {
  entropy: 1,
  returns: 1,
  turn_reward: 1,
  reward: 1,
  success: 1,
  turns: 1,
  valid: 1,
};

/** `parameters`: their values, in the text's order. `role`: of the token. */
export function pictureOf(formula: Formula, parameters: readonly number[], role: DrawnRole = 'action'): Picture {
  const { reads } = formula;
  const across = reads.has('old_logp') || reads.has('sampler_logp') ? 'ratio' : 'probability';
  const isBatch = formula.nodes.some(({ level }) => level === 'batch');
  const count = isBatch ? FEW : POINTS;
  const places = Array.from({ length: count }, (_, i) => (LAST[across] * i) / (count - 1));
  const together = isBatch ? places.map((at) => [at]) : [places];
  const advantages = reads.has('advantage') ? ([1, -1] as const) : ([null] as const);
  const sides = advantages.map((advantage) => ({
    advantage,
    points: together.flatMap((some) =>
      pointsOf(formula, parameters, some, across, { ...GIVEN, [`is_${role}`]: 1, advantage: advantage ?? 1 }),
    ),
  }));
  const slopes = sides.flatMap(({ points }) => points.map(({ slope }) => slope ?? 0));
  const isAway = !reads.has('advantage') && slopes.every((slope) => slope >= 0) && slopes.some((slope) => slope > 0);
  return { across, sides, gap: gapOf(sides), isAway };
}

/** Evaluates the text at these places, each as one token that is alone in its turn, trajectory and group. */
function pointsOf(
  formula: Formula,
  parameters: readonly number[],
  places: readonly number[],
  across: Picture['across'],
  given: Given,
): PicturePoint[] {
  const scale = across === 'ratio' ? BEFORE : 1;
  // At 0 the log-prob is no number: the line begins a little right of it.
  const logp = places.map((at) => Math.log(scale * Math.max(at, 1e-4)));
  const row = parameterRow(parameters, { update: 0, success_rate: 0 });
  const { atTokens } = evaluateTape(formula, structureOf(places.length), inputsOf(logp, given), row);
  const [losses, slopes] = [atTokens(formula.loss), atTokens(formula.byLogProb)];
  const finite = (value = Number.NaN) => (Number.isFinite(value) ? value : null);
  return places.map((at, i) => ({ at, loss: finite(losses[i]), slope: finite(slopes[i]) }));
}

function structureOf(count: number): Structure {
  const each = Int32Array.from({ length: count }, (_, i) => i);
  return {
    tokenTurn: each,
    tokenIndex: new Int32Array(count),
    tokenWeight: new Float64Array(count).fill(1),
    turnTrajectory: each,
    turnNumber: new Int32Array(count),
    trajectoryGroup: each,
    groups: count,
  };
}

function inputsOf(logp: readonly number[], given: Given): Inputs {
  const before = Math.log(BEFORE);
  const same = { ...given, old_logp: before, sampler_logp: before, ref_logp: before };
  const names = Object.keys(INPUTS) as InputName[];
  const values = (value: number) => logp.map(() => value);
  return { ...Object.fromEntries(names.map((name) => [name, values(same[name as keyof typeof same] ?? 0)])), logp };
}

function gapOf(sides: readonly PictureSide[]): string | null {
  const gone = sides.flatMap(({ points }) =>
    points.filter(({ loss, slope }) => loss === null || slope === null).map(({ at }) => at),
  );
  if (gone.length === 0) return null;
  const [from, to] = [Math.min(...gone), Math.max(...gone)].map((at) => Number(at.toPrecision(2)));
  const where = from === to ? `at ${from}` : `between ${from} and ${to}`;
  return `For this token alone it is no finite number ${where}: the line has a gap there. Over a batch it may well be one.`;
}
