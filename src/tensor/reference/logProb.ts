/**
 * The reference of operations that turn logits into probabilities: the masked log-prob with its entropy, and the gradient
 * of both. Both share one distribution, and sampling.ts draws from it: softmax(logits/temperature) over the legal tokens
 * for action targets, plain softmax for all others.
 */
import { isDrawn, isTarget, ROLE } from '../../foundation/roles';
import type { Rows, Tensor } from '../backend';
import { HYPER } from '../layout';
import { add, at, member, rowsInUse, type TokenRow, type Written } from './storage';

type U32 = Tensor<'u32'>;

export interface ReferenceDistribution {
  /** Tokens that have a probability, in vocabulary order. */
  readonly legal: readonly number[];
  readonly temperature: number;
  /** The largest logit m of a legal token, and log Σ exp((x − m)/temperature). */
  readonly largest: number;
  readonly logSum: number;
  /** log p of any token; −∞ outside the legal set. */
  logProb(v: number): number;
}

function isLegal(legalSets: Uint32Array, set: number, v: number, vocabulary: number): boolean {
  const words = Math.ceil(vocabulary / 32);
  return ((at(legalSets, set * words + (v >>> 5)) >>> (v & 31)) & 1) === 1;
}

/** softmax of logits/temperature over a legal set, of one row of logits. */
export function distribution(
  logits: Float64Array,
  temperature: number,
  legalSets: Uint32Array,
  set: number,
  vocabulary: number,
): ReferenceDistribution {
  const legal = Array.from({ length: vocabulary }, (_, v) => v).filter((v) =>
    set === 0 ? true : isLegal(legalSets, set, v, vocabulary),
  );
  const largest = legal.reduce((a, v) => Math.max(a, at(logits, v)), Number.NEGATIVE_INFINITY);
  const z = (v: number): number => (at(logits, v) - largest) / temperature;
  const logSum = Math.log(legal.reduce((total, v) => total + Math.exp(z(v)), 0));
  const isInSet = new Set(legal);
  const logProb = (v: number): number => (isInSet.has(v) ? z(v) - logSum : Number.NEGATIVE_INFINITY);
  return { legal, temperature, largest, logSum, logProb };
}

/** The distribution that predicts a target, from the row of logits before it. */
export function targetDistribution(
  logits: Float64Array,
  target: TokenRow,
  legalSets: Uint32Array,
  hyper: Float64Array,
  vocabulary: number,
): ReferenceDistribution {
  const drawn = isDrawn(target.role);
  const temperature = drawn ? at(hyper, HYPER.temperature) : 1;
  return distribution(logits, temperature, legalSets, drawn ? target.legalSet : 0, vocabulary);
}

/** True if the row is a target whose log-prob is computed: "needed" in operations/logProb.ts. */
export function isNeeded(row: TokenRow, hyper: Float64Array): boolean {
  if (row.position === 0) return false;
  if (isTarget(row.role) && row.role !== ROLE.prompt) return true;
  return at(hyper, HYPER.policyGradient + row.role) !== 0 || at(hyper, HYPER.crossEntropy + row.role) !== 0;
}

/** Entropy, nats; 0·log 0 = 0. */
export function entropyOf(target: ReferenceDistribution): number {
  return target.legal.reduce((total, v) => {
    const logProb = target.logProb(v);
    const probability = Math.exp(logProb);
    return probability === 0 ? total : total - probability * logProb;
  }, 0);
}

/** The tokens of a row: its own, or those of targets [P,R,K]. */
function tokensOf(row: TokenRow, targets: U32 | null | undefined, rows: Rows, p: number): readonly number[] {
  if (!targets) return [row.token];
  const K = targets.stride / rows.capacity;
  return Array.from(member(targets, p).subarray(row.index * K, (row.index + 1) * K));
}

export const maskedLogProb: Written<'maskedLogProb'> = (
  members,
  logProb,
  entropy,
  logSumExp,
  logits,
  rows,
  legalSets,
  hyper,
  vocabulary,
  targets,
) => {
  const S = logits.stride / rows.capacity;
  for (let p = 0; p < members; p++) {
    const [z, sets, table] = [member(logits, p), member(legalSets, p), member(hyper, p)];
    for (const row of rowsInUse(rows, p)) {
      const tokens = tokensOf(row, targets, rows, p);
      const [r, K] = [row.index, tokens.length];
      const needed = isNeeded(row, table);
      const target = needed ? targetDistribution(z.subarray((r - 1) * S, r * S), row, sets, table, vocabulary) : null;
      tokens.forEach((token, k) => {
        member(logProb, p)[r * K + k] = target === null ? 0 : target.logProb(token);
      });
      member(entropy, p)[r] = target === null ? 0 : entropyOf(target);
      member(logSumExp, p).set(target === null ? [0, 0] : [target.largest, target.logSum], r * 2);
    }
  }
};

/**
 * Gradient by the logits of one target, [vocabulary]: ∂logProb/∂z_v = onehot_v − p_v; ∂entropy/∂z_v =
 * −p_v·(log p_v + entropy); z = logits/temperature. `saved` is from the forward pass.
 */
export function logitGradient(
  logits: Float64Array,
  { legal, temperature }: ReferenceDistribution,
  saved: { readonly largest: number; readonly logSum: number; readonly entropy: number },
  tokens: readonly number[],
  byLogProb: readonly number[],
  byEntropy: number,
): Float64Array<ArrayBuffer> {
  const gradient = new Float64Array(logits.length);
  for (const v of legal) {
    const log = (at(logits, v) - saved.largest) / temperature - saved.logSum;
    const probability = Math.exp(log);
    tokens.forEach((token, k) => {
      const d = byLogProb[k];
      if (d !== 0) add(gradient, v, (d * ((v === token ? 1 : 0) - probability)) / temperature);
    });
    if (byEntropy !== 0 && probability !== 0) {
      add(gradient, v, (-byEntropy * probability * (log + saved.entropy)) / temperature);
    }
  }
  return gradient;
}

export const maskedLogProbBackward: Written<'maskedLogProbBackward'> = (
  members,
  logits,
  dLogProb,
  dEntropy,
  entropy,
  logSumExp,
  rows,
  legalSets,
  hyper,
  vocabulary,
  targets,
) => {
  const S = logits.stride / rows.capacity;
  for (let p = 0; p < members; p++) {
    const [sets, table, sums] = [member(legalSets, p), member(hyper, p), member(logSumExp, p)];
    const inUse = rowsInUse(rows, p);
    for (const { index: source } of inUse) {
      const z = member(logits, p).subarray(source * S, (source + 1) * S);
      const row = inUse[source + 1];
      let gradient = new Float64Array(S);
      if (row !== undefined && isNeeded(row, table)) {
        const tokens = tokensOf(row, targets, rows, p);
        const [r, K] = [row.index, tokens.length];
        const byLogProb = Array.from(member(dLogProb, p).subarray(r * K, (r + 1) * K));
        const byEntropy = at(member(dEntropy, p), r);
        if (byEntropy !== 0 || byLogProb.some((d) => d !== 0)) {
          const target = targetDistribution(z, row, sets, table, vocabulary);
          const [largest, logSum] = [at(sums, r * 2), at(sums, r * 2 + 1)];
          const saved = { largest, logSum, entropy: at(member(entropy, p), r) };
          gradient = logitGradient(z, target, saved, tokens, byLogProb, byEntropy);
        }
      }
      z.set(gradient);
    }
  }
};

/** Σ p² of action rows; 0 for all others. */
export const sumOfSquares: Written<'sumOfSquares'> = (
  members,
  out,
  logSumExp,
  logits,
  rows,
  legalSets,
  hyper,
  vocabulary,
) => {
  const S = logits.stride / rows.capacity;
  for (let p = 0; p < members; p++) {
    const [z, sets, table, sums] = [logits, legalSets, hyper, logSumExp].map((tensor) => member(tensor, p)) as [
      Float64Array,
      Uint32Array,
      Float64Array,
      Float64Array,
    ];
    for (const row of rowsInUse(rows, p)) {
      const r = row.index;
      let sum = 0;
      if (isDrawn(row.role) && row.position > 0) {
        const x = z.subarray((r - 1) * S, r * S);
        const { legal, temperature } = targetDistribution(x, row, sets, table, vocabulary);
        for (const v of legal) {
          sum += Math.exp(2 * ((at(x, v) - at(sums, r * 2)) / temperature - at(sums, r * 2 + 1)));
        }
      }
      member(out, p)[r] = sum;
    }
  }
};
