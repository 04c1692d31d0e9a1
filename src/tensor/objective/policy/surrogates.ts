/**
 * Surrogates: the loss of one token, its derivatives and the bounds that act, in one short function each. Formulas and
 * sources: src/hyperparameters/surrogate.ts; the same functions: shaders/policy_objective/surrogate.wgsl. A loss is
 * minimised. Factors that a formula holds fixed, sg[·], have the derivative 0.
 */
import type { ChoiceOf } from '../../../hyperparameters/columns';
import type { PolicyMember } from './member';
import { ratioOf } from './ratio';

export interface SurrogateToken {
  /** The segment's log-ratio, x. */
  readonly logRatio: number;
  readonly logProb: number;
  /** Log-prob in the ratio's denominator. */
  readonly baseLogProb: number;
  readonly advantage: number;
  /** 0 dropped, 1 as usual, 2 with kl-cov's penalty. */
  readonly selection: number;
}

/** Bounds that act on a token; columns.ts says for each surrogate what they are (TERM.clipped …). */
export interface Bounds {
  readonly clipped: boolean;
  readonly low: boolean;
  readonly high: boolean;
  readonly dual: boolean;
  readonly outside: boolean;
}

export interface Surrogate {
  readonly loss: number;
  /** ∂loss/∂(log-prob of the token itself), the ratio held fixed. */
  readonly byLogProb: number;
  /** ∂loss/∂x. */
  readonly byRatio: number;
  /** Factor of the advantage, before any bound. */
  readonly ratio: number;
  readonly bounds: Bounds;
}

/** Token with its ratio r = exp(clamped x), and the derivative of the clamp (0 or 1). */
interface Given extends SurrogateToken {
  readonly ratio: number;
  readonly inside: number;
}

type SurrogateFunction = (token: Given, member: PolicyMember) => Omit<Surrogate, 'ratio'> & { readonly ratio?: number };

const NO_BOUNDS: Bounds = { clipped: false, low: false, high: false, dual: false, outside: false };

const clip = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

/**
 * Bounds that the ratio is beyond: `outside` if it is below 1 − lo or above 1 + hi; with it `low` or `high` if the
 * advantage pushes further out on that side.
 */
function sides(
  { ratio, advantage }: Given,
  { clipLow: low, clipHigh: high }: PolicyMember,
): Pick<Bounds, 'low' | 'high' | 'outside'> {
  const [below, above] = [ratio < 1 - low, ratio > 1 + high];
  return { low: below && advantage < 0, high: above && advantage > 0, outside: below || above };
}

function boundsOf(token: Given, member: PolicyMember, clipped: boolean, dual: boolean): Bounds {
  const { low, high, outside } = sides(token, member);
  return { clipped, low, high, dual, outside };
}

/** Bounds of a surrogate that leaves tokens out. */
const leftOut = (token: Given, keep: boolean): Bounds => ({
  clipped: !keep,
  low: !keep && token.advantage < 0,
  high: !keep && token.advantage > 0,
  dual: false,
  outside: !keep,
});

const ppo: SurrogateFunction = (token, member) => {
  const { ratio, inside, advantage: A } = token;
  const plain = -A * ratio;
  const bounded = -A * clip(ratio, 1 - member.clipLow, 1 + member.clipHigh);
  const clipped = bounded > plain;
  const loss = clipped ? bounded : plain;
  const most = -A * member.ratioCap;
  const dual = member.ratioCap > 0 && A < 0 && most < loss;
  return {
    loss: dual ? most : loss,
    byLogProb: 0,
    byRatio: clipped || dual ? 0 : plain * inside,
    bounds: boundsOf(token, member, clipped, dual),
  };
};

const reinforce: SurrogateFunction = ({ advantage: A, logProb }) => ({
  loss: -A * logProb,
  byLogProb: -A,
  byRatio: 0,
  bounds: NO_BOUNDS,
});

const cispo: SurrogateFunction = (token, member) => {
  const { ratio, advantage: A, logProb } = token;
  const absolute = member.ratioBound === 'absolute-above';
  const weight = absolute ? Math.min(ratio, member.clipHigh) : clip(ratio, 1 - member.clipLow, 1 + member.clipHigh);
  const outside = weight !== ratio;
  const bounds = absolute ? { low: false, high: outside && A > 0, outside } : sides(token, member);
  return {
    loss: -weight * A * logProb,
    byLogProb: -weight * A,
    byRatio: 0,
    bounds: { ...bounds, clipped: outside, dual: false },
  };
};

const sapo: SurrogateFunction = ({ ratio, inside, advantage: A }, member) => {
  const tau = A > 0 ? member.sapoPositive : member.sapoNegative;
  const z = tau * (ratio - 1);
  const tail = Math.exp(-Math.abs(z));
  const gate = (z >= 0 ? 1 : tail) / (1 + tail);
  const slope = tail / (1 + tail) ** 2;
  return { loss: (-A * 4 * gate) / tau, byLogProb: 0, byRatio: -A * 4 * slope * ratio * inside, bounds: NO_BOUNDS };
};

const gmpo: SurrogateFunction = (
  { ratio, inside, advantage: A, logProb, baseLogProb },
  { clipLow: low, clipHigh: high },
) => {
  const d = logProb - baseLogProb;
  const outside = d < -low || d > high;
  const clipped = (A > 0 && d > high) || (A < 0 && d < -low);
  return {
    loss: -A * ratio,
    byLogProb: 0,
    byRatio: -A * ratio * inside,
    bounds: { clipped, low: outside && A < 0, high: outside && A > 0, dual: false, outside },
  };
};

/** −A·sg[min(r, cap)]·log p on the tokens that are kept. */
function divergenceMasked(token: Given, member: PolicyMember, keep: boolean): ReturnType<SurrogateFunction> {
  const isCapped = member.ratioCap > 0 && token.ratio > member.ratioCap;
  const byLogProb = keep ? -token.advantage * (isCapped ? member.ratioCap : token.ratio) : 0;
  const bounds = { ...leftOut(token, keep), dual: keep && isCapped };
  return { loss: keep ? byLogProb * token.logProb : 0, byLogProb, byRatio: 0, bounds };
}

/** True while p − p₀ is within its bound on the side that the advantage pushes to. */
function withinVariation(
  { advantage, logProb, baseLogProb }: Given,
  { clipLow: low, clipHigh: high }: PolicyMember,
): boolean {
  const change = Math.exp(logProb) - Math.exp(baseLogProb);
  return advantage > 0 ? change <= high : change >= -low;
}

const PROBABILITY_FLOOR = 1e-6;
const probability = (logProb: number): number => clip(Math.exp(logProb), PROBABILITY_FLOOR, 1 - PROBABILITY_FLOOR);

/** True while KL((p₀, 1 − p₀) ‖ (p, 1 − p)) is within its bound on the side that the advantage pushes to. */
function withinDivergence(
  { advantage: A, logProb, baseLogProb }: Given,
  { clipLow: low, clipHigh: high }: PolicyMember,
): boolean {
  const [p, p0] = [probability(logProb), probability(baseLogProb)];
  const divergence = p0 * Math.log(p0 / p) + (1 - p0) * Math.log((1 - p0) / (1 - p));
  return A > 0 ? !(p > p0 && divergence > high) : !(p < p0 && divergence > low);
}

/** −keep·A·r + penalty·x². */
function penalised(
  token: Given,
  { ratioPenalty: penalty }: PolicyMember,
  keep: boolean,
): ReturnType<SurrogateFunction> {
  const { ratio, inside, advantage: A, logRatio: x } = token;
  const plain = keep ? -A * ratio : 0;
  return {
    loss: plain + penalty * x * x,
    byLogProb: 0,
    byRatio: plain * inside + 2 * penalty * x,
    bounds: leftOut(token, keep),
  };
}

const dro: SurrogateFunction = ({ advantage: A, logProb, logRatio: x }, { ratioPenalty: penalty }) => ({
  loss: -A * logProb + (penalty / 2) * x * x,
  byLogProb: -A,
  byRatio: penalty * x,
  bounds: NO_BOUNDS,
});

const clipCov: SurrogateFunction = (token, member) => {
  const own = ppo(token, member);
  return { ...own, bounds: { ...own.bounds, clipped: token.selection === 0 } };
};

const klCov: SurrogateFunction = (token, member) => {
  const { ratio, inside, advantage: A, logRatio: x, selection } = token;
  const penalty = selection === 2 ? member.ratioPenalty : 0;
  return {
    loss: -A * ratio + penalty * Math.abs(x),
    byLogProb: 0,
    byRatio: -A * ratio * inside + penalty * Math.sign(x),
    bounds: { ...NO_BOUNDS, ...sides(token, member) },
  };
};

const vespo: SurrogateFunction = ({ advantage: A, logProb, logRatio }, member) => {
  const power = A >= 0 ? member.vespoPowerPositive : member.vespoPowerNegative;
  const scale = A >= 0 ? member.vespoScalePositive : member.vespoScaleNegative;
  const ratio = Math.exp(scale + power * logRatio - scale * Math.exp(logRatio));
  return { loss: -ratio * A * logProb, byLogProb: -ratio * A, byRatio: 0, ratio, bounds: NO_BOUNDS };
};

const icepop: SurrogateFunction = (token, { clipLow: low, clipHigh: high }) => {
  const { ratio, advantage: A, logProb } = token;
  const keep = ratio >= 1 - low && ratio <= 1 + high;
  const byLogProb = keep ? -ratio * A : 0;
  return { loss: keep ? byLogProb * logProb : 0, byLogProb, byRatio: 0, bounds: leftOut(token, keep) };
};

const reinforceKl: SurrogateFunction = (token, member) => {
  const { ratio: r, inside, advantage: A, logProb, logRatio: x } = token;
  const { backwardKl, forwardKl, policyKlForm } = member;
  const weight = -clip(r, 1 - member.clipLow, 1 + member.clipHigh) * A;
  const reached = sides(token, member);
  const bounds = { ...reached, clipped: reached.outside, dual: false };
  if (policyKlForm === 'estimator') {
    return {
      loss: weight * logProb + backwardKl * (r - 1 - x) + forwardKl * (r * x - r + 1),
      byLogProb: weight,
      byRatio: backwardKl * (r * inside - 1) + forwardKl * (r + inside * r * (x - 1)),
      bounds,
    };
  }
  const byLogProb = weight - backwardKl + forwardKl * r * x;
  return { loss: byLogProb * logProb, byLogProb, byRatio: 0, bounds };
};

const importance: SurrogateFunction = (token, member) => ({
  loss: -token.advantage * token.ratio,
  byLogProb: 0,
  byRatio: -token.advantage * token.ratio * token.inside,
  bounds: { ...NO_BOUNDS, ...sides(token, member) },
});

const FUNCTIONS: Readonly<Record<ChoiceOf<'surrogate'>, SurrogateFunction>> = {
  ppo,
  reinforce,
  cispo,
  sapo,
  gmpo,
  'dppo-tv': (token, member) => divergenceMasked(token, member, withinVariation(token, member)),
  'dppo-kl': (token, member) => divergenceMasked(token, member, withinDivergence(token, member)),
  prime: (token, member) => penalised(token, member, withinVariation(token, member)),
  ipo: (token, member) =>
    penalised(token, member, Math.abs(Math.exp(token.logProb) - Math.exp(token.baseLogProb)) <= member.clipHigh),
  dro,
  'clip-cov': clipCov,
  'kl-cov': klCov,
  vespo,
  icepop,
  'reinforce-kl': reinforceKl,
  importance,
};

export function surrogateOf(token: SurrogateToken, member: PolicyMember): Surrogate {
  // Field by field: spreading objects took half of a small update's time.
  const { logRatio, logProb, baseLogProb, advantage, selection } = token;
  const { ratio, inside } = ratioOf(logRatio, member.logRatioClamp);
  const given: Given = { logRatio, logProb, baseLogProb, advantage, selection, ratio, inside };
  const { loss, byLogProb, byRatio, bounds, ratio: own } = FUNCTIONS[member.surrogate](given, member);
  return { loss, byLogProb, byRatio, bounds, ratio: own ?? ratio };
}
