/** The same batch under other losses, side by side: the effect of each on the log-probs of its tokens. */
import { formulaOf, withLossPart } from '../../experiment/arm/ownLosses';
import { type Arm, defaultArm } from '../../experiment/experiment';
import { findObjective, objectivePresets, withObjective } from '../../experiment/objectives/objectivePresets';
import { FormulaError } from '../../formula/error';
import { LabError } from '../../foundation/errors';
import { BATCH_ROLE, BATCH_ROLES, type BatchRole, isSampled, used } from '../trajectory';
import { type LossOutcome, WhatIfEngine } from './engine';
import type { KeptBatch, KeptTrajectory } from './kept';
import { givenOf, lacksOf } from './lacks';

/** A loss that is asked for. */
export interface CandidateLoss {
  readonly name: string;
  readonly title: string;
  readonly arm: Arm;
}

/** One loss on the batch. Shares are of Σ |∂loss/∂logp| over all tokens. */
export interface WhatIfRow {
  readonly name: string;
  readonly title: string;
  /** Numbers that the loss needs and the batch lacks; empty for a loss that was worked out. */
  readonly lacks: readonly string[];
  readonly result: WhatIfResult | null;
}

export interface WhatIfResult {
  /** Loss; null for the one that was used, which the batch does not name. */
  readonly loss: LossOutcome['loss'] | null;
  /** Share of trained tokens on which the bound of the ratio acts; null where there is no such bound. */
  readonly clipShare: number | null;
  readonly byRole: Readonly<Partial<Record<BatchRole, number>>>;
  /** Numbers by turn, the first of an episode first: of its action with the answer to it. */
  readonly byTurn: readonly number[];
  /** Episodes, largest first, that carry half of it, and the share of the largest one with its number. */
  readonly halfIn: number;
  readonly largest: { readonly trajectory: number; readonly share: number };
  /** Cosine of ∂loss/∂logp with that of the loss that was used; null where unknown. Not the gradient of parameters. */
  readonly cosine: number | null;
  /** λ at which ECHO's cross-entropy of observations weighs as much as the actions do; null where there are none. */
  readonly equalLambda: number | null;
}

export interface WhatIf {
  /** First the batch's own weight × advantage, then the losses. */
  readonly rows: readonly WhatIfRow[];
  /** Source of the advantages. */
  readonly advantages: 'rewards and groups' | 'the batch';
  /** The policy's: without `logp`, those of the old policy or of the engine, at which every ratio is 1. */
  readonly logProbs: 'logp' | 'old' | 'rollout';
  /** ECHO's cross-entropy of observations, at its authors' λ; loss: null where observations have no log-probs. */
  readonly echo: { readonly lambda: number; readonly loss: number | null; readonly gradient: number } | null;
}

const base = defaultArm('asked', 'Asked');

export const OBJECTIVE_NAMES: readonly string[] = objectivePresets.map(({ id }) => id);

/** A loss of the lab by its name. Throws LabError for a name that is none. */
export function objectiveAsked(name: string): CandidateLoss {
  const preset = findObjective(name);
  if (preset !== undefined) return { name, title: preset.title, arm: withObjective(base, preset) };
  const advice = `Objectives are ${OBJECTIVE_NAMES.join(', ')}; or name a file that ends in .loss.`;
  throw new LabError('invalid-batch', `There is no objective “${name.slice(0, 40)}”.`, advice);
}

/** A formula in place of the policy loss; advantages and means are the lab's own. Throws LabError for one that does not compile. */
export function formulaAsked(name: string, text: string): CandidateLoss {
  try {
    formulaOf(text);
  } catch (cause) {
    if (!(cause instanceof FormulaError)) throw cause;
    const { line, column, mistake, advice } = cause;
    throw new LabError('invalid-formula', `${name}, line ${line}, column ${column}: ${mistake}`, advice, { cause });
  }
  const losses = withLossPart(base.losses, { name: 'asked', part: { kind: 'text' } }, text);
  return { name, title: `formula ${name}`, arm: { ...base, losses: [...losses] } };
}

/** `between`: waited for after each loss. Throws LabError where the batch has no tokens, or too many. */
export async function whatIf(
  kept: KeptBatch,
  asked: readonly CandidateLoss[],
  between: () => Promise<void> = async () => {},
): Promise<WhatIf> {
  const all = kept.finish();
  const given = givenOf(all);
  const engine = new WhatIfEngine(all, given);
  const known = usedGradient(engine);
  const { usedSquares } = kept;
  const hasUsed = usedSquares > 0;
  const echo = await echoOf(engine, given.scored(BATCH_ROLE.observation));
  const told = (outcome: LossOutcome | null, gradient: Float64Array): WhatIfResult => {
    const sums = sumsOf(engine, gradient);
    const dot = gradient.reduce((sum, value, at) => sum + value * (known[at] ?? 0), 0);
    const squares = gradient.reduce((sum, value) => sum + value ** 2, 0);
    const sampled = (sums.byRole.get('action') ?? 0) + (sums.byRole.get('thought') ?? 0);
    const share = (value: number): number => (sums.all === 0 ? 0 : value / sums.all);
    const [largest] = sums.episodes;
    return {
      loss: outcome?.loss ?? null,
      clipShare: outcome === null || outcome.clipped === null ? null : outcome.clipped / trainedIn(engine, outcome),
      byRole: Object.fromEntries([...sums.byRole].map(([role, value]) => [role, share(value)])),
      byTurn: sums.turns.map(share),
      halfIn: halfOf(sums.episodes, sums.all),
      largest: { trajectory: largest?.number ?? 0, share: share(largest?.sum ?? 0) },
      cosine: hasUsed && squares > 0 ? dot / Math.sqrt(squares * usedSquares) : null,
      equalLambda: echo === null || outcome === null ? null : (echo.lambda * sampled) / echo.gradient,
    };
  };
  const rows: WhatIfRow[] = [];
  if (hasUsed) rows.push({ ...AS_USED, lacks: [], result: told(null, known) });
  for (const { name, title, arm } of asked) {
    await between();
    const lacks = lacksOf(arm, given);
    const outcome = lacks.length > 0 ? null : await engine.run(arm);
    rows.push({ name, title, lacks, result: outcome === null ? null : told(outcome, outcome.gradient) });
  }
  return {
    ...{ rows, echo },
    advantages: given.rewards ? 'rewards and groups' : 'the batch',
    logProbs: given.source ?? 'old',
  };
}

const AS_USED = { name: 'as used', title: 'weight × advantage, as the batch has them, at ratio 1' } as const;

/** ∂loss/∂logp of the loss that was used, [B, T]. */
function usedGradient({ trajectories, context }: WhatIfEngine): Float64Array {
  const gradient = new Float64Array(trajectories.length * context);
  trajectories.forEach(({ length, columns: { weight, advantage, correction } }, b) => {
    for (let at = 0; at < length; at++) {
      gradient[b * context + at] = -used(weight?.[at], advantage?.[at], correction?.[at]);
    }
  });
  return gradient;
}

async function echoOf(engine: WhatIfEngine, isScored: boolean): Promise<WhatIf['echo']> {
  const { arm } = objectiveAsked('echo');
  const { loss, gradient } = await engine.run({ ...arm, pg: { ...arm.pg, action: 0 } });
  const sum = gradient.reduce((total, value) => total + Math.abs(value), 0);
  return sum === 0 ? null : { lambda: arm.ce.observation, loss: isScored ? loss.prediction : null, gradient: sum };
}

interface Sums {
  readonly all: number;
  readonly byRole: ReadonlyMap<BatchRole, number>;
  readonly turns: readonly number[];
  /** Episodes with their sums, the largest first. */
  readonly episodes: readonly { readonly number: number; readonly sum: number }[];
}

/** Sums of |∂loss/∂logp|. */
function sumsOf({ trajectories, context }: WhatIfEngine, gradient: Float64Array): Sums {
  const byRole = new Map<BatchRole, number>();
  const turns: number[] = [];
  let all = 0;
  const episodes = trajectories.map(({ number, roles }, b) => {
    let [own, turn] = [0, -1];
    roles.forEach((role, at) => {
      if (isSampled(role) && !isSampled(roles[at - 1])) turn++;
      const size = Math.abs(gradient[b * context + at] ?? 0);
      const name = BATCH_ROLES[role] ?? 'unknown';
      byRole.set(name, (byRole.get(name) ?? 0) + size);
      if (turn >= 0) turns[turn] = (turns[turn] ?? 0) + size;
      own += size;
    });
    all += own;
    return { number, sum: own };
  });
  return { all, byRole, turns, episodes: episodes.sort((a, b) => b.sum - a.sum) };
}

function halfOf(episodes: Sums['episodes'], all: number): number {
  let sum = 0;
  const at = episodes.findIndex((one) => {
    sum += one.sum;
    return sum >= all / 2;
  });
  return all === 0 ? 0 : at + 1;
}

/** Sampled tokens with a weight in the policy loss, on which a bound can act. */
function trainedIn({ trajectories, context }: WhatIfEngine, { weight }: LossOutcome): number {
  return trajectories.reduce(
    (count, { roles }: KeptTrajectory, b) =>
      count + roles.reduce((own, role, at) => own + Number(isSampled(role) && weight[b * context + at] !== 0), 0),
    0,
  );
}
