/**
 * The reference of everything that turns logits into probabilities: the masked log-prob with its entropy, the gradient
 * of both, and sampling. One definition of the distribution for all three: softmax(logits/temperature) over the legal
 * tokens for action targets, plain softmax for all others.
 */
import { philox4x32, toUnitFloat } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import type { Rows, Tensor } from '../backend';
import { HYPER, ROW_FIELDS } from '../layout';
import { add, at, member, type Row, rowsInUse } from './storage';

type F32 = Tensor<'f32'>;
type U32 = Tensor<'u32'>;

interface Distribution {
  /** Tokens that have a probability, in vocabulary order. */
  readonly legal: readonly number[];
  /** log Σ exp z. */
  readonly logSumExp: number;
  readonly temperature: number;
  /** log p of a legal token. */
  logProb(v: number): number;
}

function isLegal(legalSets: Uint32Array, set: number, v: number, vocabulary: number): boolean {
  const words = Math.ceil(vocabulary / 32);
  return ((at(legalSets, set * words + (v >>> 5)) >>> (v & 31)) & 1) === 1;
}

/** softmax of z = logits/temperature over a legal set; `row` is the row of `logits` it is read from. */
function distribution(
  logits: Float64Array,
  row: number,
  temperature: number,
  legalSets: Uint32Array,
  set: number,
  vocabulary: number,
): Distribution {
  const legal = Array.from({ length: vocabulary }, (_, v) => v).filter((v) =>
    set === 0 ? true : isLegal(legalSets, set, v, vocabulary),
  );
  const z = (v: number): number => at(logits, row * vocabulary + v) / temperature;
  const maximum = legal.reduce((a, v) => Math.max(a, z(v)), Number.NEGATIVE_INFINITY);
  const sum = legal.reduce((total, v) => total + Math.exp(z(v) - maximum), 0);
  const logSumExp = maximum + Math.log(sum);
  return { legal, logSumExp, temperature, logProb: (v) => z(v) - maximum - Math.log(sum) };
}

/** The distribution that predicts target row r, from the logits of row r − 1. */
function targetDistribution(
  logits: Float64Array,
  row: Row,
  legalSets: Uint32Array,
  hyper: Float64Array,
  vocabulary: number,
): Distribution {
  const isAction = row.role === ROLE.action;
  const temperature = isAction ? at(hyper, HYPER.temperature) : 1;
  return distribution(logits, row.index - 1, temperature, legalSets, isAction ? row.legalSet : 0, vocabulary);
}

/** Whether the row is a target whose log-prob is computed: see "needed" in backend.ts. */
function isNeeded(row: Row, hyper: Float64Array): boolean {
  if (row.position === 0) return false;
  if (row.role === ROLE.action || row.role === ROLE.observation || row.role === ROLE.warning) return true;
  return at(hyper, HYPER.policyGradient + row.role) !== 0 || at(hyper, HYPER.crossEntropy + row.role) !== 0;
}

/** 0·log 0 = 0. */
function entropyOf(target: Distribution): number {
  return target.legal.reduce((total, v) => {
    const logProb = target.logProb(v);
    const probability = Math.exp(logProb);
    return probability === 0 ? total : total - probability * logProb;
  }, 0);
}

export function maskedLogProb(
  members: number,
  logProb: F32,
  entropy: F32,
  logSumExp: F32,
  logits: F32,
  rows: Rows,
  legalSets: U32,
  hyper: F32,
  vocabulary: number,
): void {
  for (let p = 0; p < members; p++) {
    const [z, sets, table] = [member(logits, p), member(legalSets, p), member(hyper, p)];
    const outputs = [member(logProb, p), member(entropy, p), member(logSumExp, p)] as const;
    for (const row of rowsInUse(rows, p)) {
      for (const output of outputs) output[row.index] = 0;
      if (!isNeeded(row, table)) continue;
      const target = targetDistribution(z, row, sets, table, vocabulary);
      outputs[0][row.index] = target.legal.includes(row.token) ? target.logProb(row.token) : Number.NEGATIVE_INFINITY;
      outputs[1][row.index] = entropyOf(target);
      outputs[2][row.index] = target.logSumExp;
    }
  }
}

/** ∂logProb/∂z_v = onehot_v − p_v;  ∂entropy/∂z_v = −p_v·(log p_v + entropy);  z = logits/temperature. */
export function maskedLogProbBackward(
  members: number,
  logits: F32,
  dLogProb: F32,
  dEntropy: F32,
  entropy: F32,
  logSumExp: F32,
  rows: Rows,
  legalSets: U32,
  hyper: F32,
  vocabulary: number,
): void {
  for (let p = 0; p < members; p++) {
    const [z, sets, table] = [member(logits, p), member(legalSets, p), member(hyper, p)];
    const [byLogProb, byEntropy] = [member(dLogProb, p), member(dEntropy, p)];
    const [entropies, sums] = [member(entropy, p), member(logSumExp, p)];
    const inUse = rowsInUse(rows, p);
    for (const { index: source } of inUse) {
      const gradient = new Float64Array(vocabulary);
      const row = inUse[source + 1];
      if (row !== undefined && isNeeded(row, table)) {
        const [dL, dH] = [at(byLogProb, row.index), at(byEntropy, row.index)];
        if (dL !== 0 || dH !== 0) {
          const { legal, temperature } = targetDistribution(z, row, sets, table, vocabulary);
          for (const v of legal) {
            const log = at(z, source * vocabulary + v) / temperature - at(sums, row.index);
            const probability = Math.exp(log);
            const onehot = v === row.token ? 1 : 0;
            if (dL !== 0) add(gradient, v, (dL * (onehot - probability)) / temperature);
            if (dH !== 0 && probability !== 0) {
              add(gradient, v, (-dH * probability * (log + at(entropies, row.index))) / temperature);
            }
          }
        }
      }
      z.set(gradient, source * vocabulary);
    }
  }
}

/** Inverse-CDF sampling: one Philox draw a token, from a counter that names the token and nothing else. */
export function sample(
  members: number,
  token: U32,
  logProb: F32,
  logits: F32,
  picks: Rows,
  legalSets: U32,
  hyper: F32,
  key: U32,
  seedIndex: U32,
  vocabulary: number,
): void {
  for (let p = 0; p < members; p++) {
    const [tokens, logProbs, z] = [member(token, p), member(logProb, p), member(logits, p)];
    const [sets, keys, table] = [member(legalSets, p), member(key, p), member(picks.table, p)];
    const temperature = at(member(hyper, p), HYPER.temperature);
    for (const { index: i, position, legalSet } of rowsInUse(picks, p)) {
      const trajectory = at(table, i * ROW_FIELDS + 2);
      const word = philox4x32(
        [at(member(seedIndex, p), 0), at(keys, 2), trajectory, position],
        [at(keys, 0), at(keys, 1)],
      );
      const u = toUnitFloat(at(word, 0));
      const { legal, logProb: logProbOf } = distribution(z, i, temperature, sets, legalSet, vocabulary);
      let cumulative = 0;
      const drawn = legal.find((v) => {
        cumulative += Math.exp(logProbOf(v));
        return cumulative > u;
      });
      const chosen = drawn ?? (legal.at(-1) as number);
      tokens[i] = chosen;
      logProbs[i] = logProbOf(chosen);
    }
  }
}

const NO_TOKEN = 0xffffffff;

/** A pick that has drawn the stop token gets one last row, for the stop token itself; from then on nothing of it moves. */
export function continueAction(
  members: number,
  rows: Rows,
  picks: Rows,
  stopped: U32,
  sampled: U32,
  sampledLogProb: F32,
  token: U32,
  logProb: F32,
  sizes: { step: number; stopToken: number; context: number },
): void {
  for (let p = 0; p < members; p++) {
    const [rowTable, pickTable, hasStopped] = [member(rows.table, p), member(picks.table, p), member(stopped, p)];
    const [drawnTokens, drawnLogProbs] = [member(sampled, p), member(sampledLogProb, p)];
    const [tokens, logProbs] = [member(token, p), member(logProb, p)];
    const picked = rowsInUse(picks, p);
    for (const { index: i, position } of picked) {
      const slot = sizes.step * picks.capacity + i;
      if (at(hasStopped, i) !== 0) {
        drawnTokens[slot] = NO_TOKEN;
        drawnLogProbs[slot] = 0;
        continue;
      }
      const drawn = at(tokens, i);
      drawnTokens[slot] = drawn;
      drawnLogProbs[slot] = at(logProbs, i);
      const trajectory = at(pickTable, i * ROW_FIELDS + 2);
      const meta = at(pickTable, i * ROW_FIELDS + 3);
      rowTable.set([drawn, position, trajectory * sizes.context, meta], i * ROW_FIELDS);
      pickTable.set([i, position + 1, trajectory, meta], i * ROW_FIELDS);
      if (drawn === sizes.stopToken) hasStopped[i] = 1;
    }
    member(rows.count, p)[0] = picked.length;
  }
}
