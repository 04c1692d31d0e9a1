/**
 * The objective's passes: group advantages and role counts, the per-token loss with its two derivatives, and sums of the
 * terms. The definitions are those of backend.ts; single floats throughout, since one row is a handful of operations.
 */
import { ROW_BYTES } from './rows';
import { FLOAT } from './simd';

const ROLES: usize = 4;
const ACTION: u32 = 1;
const OBSERVATION: u32 = 2;
const TERM_BYTES: usize = 32;
/** layout.ts LOG_RATIO_LIMIT. */
const LOG_RATIO_LIMIT: f32 = 20;

class Hyper {
  // Byte offsets of columns of the hyperparameter table (layout.ts HYPER).
  static readonly clipLow: usize = 24;
  static readonly clipHigh: usize = 28;
  static readonly klCoefficient: usize = 32;
  static readonly entropyCoefficient: usize = 36;
  static readonly advantageEpsilon: usize = 44;
  static readonly policyGradient: usize = 48;
  static readonly crossEntropy: usize = 64;
}

class Term {
  // Byte offsets of columns of the terms (layout.ts TERM).
  static readonly policyLoss: usize = 0;
  static readonly crossEntropyLoss: usize = 4;
  static readonly kl: usize = 8;
  static readonly entropy: usize = 12;
  static readonly clipped: usize = 16;
  static readonly observationNll: usize = 20;
  static readonly logRatio: usize = 24;
  static readonly mismatch: usize = 28;
}

/** Writes advantage [groups, G]; returns the share of groups whose rewards are all equal. */
export function groupAdvantage(advantage: usize, reward: usize, groups: usize, G: usize, hyper: usize): f32 {
  const epsilon: f64 = load<f32>(hyper, Hyper.advantageEpsilon);
  let equalGroups: f64 = 0;
  for (let group: usize = 0; group < groups; group++) {
    const first = group * G * FLOAT;
    const end = first + G * FLOAT;
    let isEqual = true;
    let mean: f64 = 0;
    for (let i = first; i < end; i += FLOAT) {
      isEqual = isEqual && load<f32>(reward + i) == load<f32>(reward + first);
      mean += load<f32>(reward + i);
    }
    mean /= <f64>G;
    let squares: f64 = 0;
    for (let i = first; i < end; i += FLOAT) {
      const centred = <f64>load<f32>(reward + i) - mean;
      squares += centred * centred;
    }
    const deviation = sqrt<f64>(squares / <f64>(<i32>G - 1)) + epsilon;
    for (let i = first; i < end; i += FLOAT) {
      store<f32>(advantage + i, isEqual ? 0 : <f32>((<f64>load<f32>(reward + i) - mean) / deviation));
    }
    if (isEqual) equalGroups += 1;
  }
  return <f32>(equalGroups / <f64>groups);
}

/** counts [4] (=|+=) target rows of each role. */
export function countRoles(counts: usize, table: usize, rows: usize, accumulate: bool): void {
  if (!accumulate) memory.fill(counts, 0, ROLES * FLOAT);
  for (let r: usize = 0; r < rows; r++) {
    const row = table + r * ROW_BYTES;
    const role = load<u32>(row, 12) & 15;
    if (load<u32>(row, 4) == 0 || <usize>role >= ROLES) continue;
    const count = counts + <usize>role * FLOAT;
    store<f32>(count, load<f32>(count) + 1);
  }
}

/** Σ counts over the roles whose weight is not 0. */
function countWhere(weights: usize, counts: usize): f32 {
  let total: f32 = 0;
  for (let role: usize = 0; role < ROLES * FLOAT; role += FLOAT) {
    if (load<f32>(weights + role) != 0) total += load<f32>(counts + role);
  }
  return total;
}

/** a/b, absent (0) where there is nothing to average over. */
function over(value: f32, count: f32): f32 {
  return count == 0 ? 0 : value / count;
}

/** A log-ratio as exp takes it. Its derivative is 1 inside and on the edge, 0 outside. */
function clampLogRatio(logRatio: f32): f32 {
  return min<f32>(max<f32>(logRatio, -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT);
}

export function tokenObjective(
  dLogProb: usize,
  dEntropy: usize,
  terms: usize,
  logProbs: usize,
  oldLogProb: usize,
  referenceLogProb: usize,
  behaviourLogProb: usize,
  entropy: usize,
  advantage: usize,
  counts: usize,
  hyper: usize,
  table: usize,
  rows: usize,
  isWorldModelOnly: bool,
): void {
  const policyCount = countWhere(hyper + Hyper.policyGradient, counts);
  const crossEntropyCount = countWhere(hyper + Hyper.crossEntropy, counts);
  const actionCount = load<f32>(counts, <usize>ACTION * FLOAT);
  const low: f32 = 1 - load<f32>(hyper, Hyper.clipLow);
  const high: f32 = 1 + load<f32>(hyper, Hyper.clipHigh);
  const klCoefficient = load<f32>(hyper, Hyper.klCoefficient);
  const entropyCoefficient = load<f32>(hyper, Hyper.entropyCoefficient);

  for (let r: usize = 0; r < rows; r++) {
    const at = r * FLOAT;
    const row = table + r * ROW_BYTES;
    const term = terms + r * TERM_BYTES;
    memory.fill(term, 0, TERM_BYTES);
    store<f32>(dLogProb + at, 0);
    store<f32>(dEntropy + at, 0);
    const meta = load<u32>(row, 12);
    const role = meta & 15;
    if (load<u32>(row, 4) == 0 || <usize>role >= ROLES) continue;
    const isAction = role == ACTION;
    const policyWeight = load<f32>(hyper + <usize>role * FLOAT, Hyper.policyGradient);
    const crossEntropyWeight = load<f32>(hyper + <usize>role * FLOAT, Hyper.crossEntropy);
    const logProb = load<f32>(logProbs + at);
    let dPolicy: f32 = 0;
    let dCrossEntropy: f32 = 0;
    let dEntropyHere: f32 = 0;

    const logRatio = logProb - load<f32>(oldLogProb + at);
    const clampedLogRatio = clampLogRatio(logRatio);

    if (policyWeight != 0) {
      const ratio = Mathf.exp(clampedLogRatio);
      const A = load<f32>(advantage + <usize>(meta >> 12) * FLOAT);
      const plainLoss = -A * ratio;
      const clippedLoss = -A * min<f32>(max<f32>(ratio, low), high);
      const isClipped = clippedLoss > plainLoss;
      store<f32>(term, policyWeight * (isClipped ? clippedLoss : plainLoss), Term.policyLoss);
      if (!isClipped && clampedLogRatio == logRatio) dPolicy += over(policyWeight * plainLoss, policyCount);
      if (isAction && isClipped) store<f32>(term, 1, Term.clipped);
    }
    if (crossEntropyWeight != 0) {
      store<f32>(term, -crossEntropyWeight * logProb, Term.crossEntropyLoss);
      dCrossEntropy = over(-crossEntropyWeight, crossEntropyCount);
    }
    if (isAction) {
      const logReferenceRatio = load<f32>(referenceLogProb + at) - logProb;
      const clampedReferenceRatio = clampLogRatio(logReferenceRatio);
      const excess = Mathf.expm1(clampedReferenceRatio);
      store<f32>(term, excess - clampedReferenceRatio, Term.kl);
      store<f32>(term, clampedLogRatio, Term.logRatio);
      store<f32>(term, load<f32>(entropy + at), Term.entropy);
      store<f32>(term, abs<f32>(logProb - load<f32>(behaviourLogProb + at)), Term.mismatch);
      if (klCoefficient != 0 && clampedReferenceRatio == logReferenceRatio)
        dPolicy += over(-klCoefficient * excess, actionCount);
      if (entropyCoefficient != 0) dEntropyHere = over(-entropyCoefficient, actionCount);
    }
    if (role == OBSERVATION) store<f32>(term, -logProb, Term.observationNll);
    store<f32>(dLogProb + at, isWorldModelOnly ? dCrossEntropy : dPolicy + dCrossEntropy);
    if (!isWorldModelOnly) store<f32>(dEntropy + at, dEntropyHere);
  }
}

/** sums [8] (=|+=) Σ terms, sequence by sequence; sequenceSums [S, 8]; start [S + 1]. */
export function sumTerms(
  sums: usize,
  sequenceSums: usize,
  terms: usize,
  start: usize,
  sequences: usize,
  rows: usize,
  accumulate: bool,
): void {
  let totalA = accumulate ? v128.load(sums) : f32x4.splat(0);
  let totalB = accumulate ? v128.load(sums, 16) : f32x4.splat(0);
  for (let s: usize = 0; s < sequences; s++) {
    const end = min<usize>(load<u32>(start + s * 4, 4), rows);
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    for (let r: usize = load<u32>(start + s * 4); r < end; r++) {
      a = f32x4.add(a, v128.load(terms + r * TERM_BYTES));
      b = f32x4.add(b, v128.load(terms + r * TERM_BYTES, 16));
    }
    v128.store(sequenceSums + s * TERM_BYTES, a);
    v128.store(sequenceSums + s * TERM_BYTES, b, 16);
    totalA = f32x4.add(totalA, a);
    totalB = f32x4.add(totalB, b);
  }
  v128.store(sums, totalA);
  v128.store(sums, totalB, 16);
}
