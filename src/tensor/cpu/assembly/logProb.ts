/**
 * The masked log-prob with its entropy, and the gradient of both. One definition of the distribution for training and
 * sampling: softmax(logits/temperature) over the legal tokens for actions, plain softmax for every other role. Rows that
 * are not needed give 0 and their logits are not read.
 */
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

const ACTION: u32 = 1;
const OBSERVATION: u32 = 2;
const WARNING: u32 = 3;
// Byte offsets of columns of the hyperparameter table (layout.ts HYPER).
const TEMPERATURE: usize = 40;
const POLICY_GRADIENT: usize = 48;
const CROSS_ENTROPY: usize = 64;
/** exp of this is 0, and 0·this is 0: keeps −∞ out of p·log p. */
const NEGLIGIBLE: f32 = -200;

/** What `Distribution.measure` found. */
let maximum: f32 = 0;
let logTotal: f32 = 0;
let negativeLogits: f32 = 0;

export class Distribution {
  /** z [V] = logits/temperature where legal, −∞ elsewhere. `legal`: bit mask, 0 for all. */
  @inline static scale(z: usize, logits: usize, V: usize, temperature: f32, legal: usize): void {
    const temperatures = f32x4.splat(temperature);
    const nothing = f32x4.splat(-Infinity);
    const bits = i32x4(1, 2, 4, 8);
    for (let v: usize = 0; v < V; v += 4) {
      let value = f32x4.div(v128.load(logits + v * FLOAT), temperatures);
      if (legal) {
        const nibble = <i32>load<u8>(legal + (v >> 3)) >> <i32>(v & 4);
        const mask = i32x4.ne(v128.and(i32x4.splat(nibble), bits), i32x4.splat(0));
        value = v128.bitselect(value, nothing, mask);
      }
      v128.store(z + v * FLOAT, value);
    }
  }

  /** Sets maximum, logTotal = log Σ exp(z − maximum) and negativeLogits = Σ p·(z − maximum). */
  @inline static measure(z: usize, V: usize): void {
    let largest = f32x4.splat(-Infinity);
    for (let v: usize = 0; v < V * FLOAT; v += 16) largest = f32x4.pmax(largest, v128.load(z + v));
    maximum = Simd.maximum(largest);
    const maxima = f32x4.splat(maximum);
    let powers = f32x4.splat(0);
    let weighted = f32x4.splat(0);
    for (let v: usize = 0; v < V * FLOAT; v += 16) {
      const below = f32x4.pmax(f32x4.sub(v128.load(z + v), maxima), f32x4.splat(NEGLIGIBLE));
      const power = Simd.exp(below);
      powers = f32x4.add(powers, power);
      weighted = f32x4.add(weighted, f32x4.mul(power, below));
    }
    const total = Simd.sum(powers);
    logTotal = Mathf.log(total);
    negativeLogits = Simd.sum(weighted) / total;
  }

  @inline static role(table: usize): u32 {
    return load<u32>(table, 12) & 15;
  }

  /** The bit mask of a row's legal set; 0 for set 0, the full vocabulary. */
  @inline static legal(table: usize, sets: usize, V: usize): usize {
    const set = (load<u32>(table, 12) >> 4) & 255;
    return set == 0 ? 0 : sets + <usize>set * ((V + 31) >> 5) * 4;
  }

  @inline static isNeeded(table: usize, hyper: usize): bool {
    if (load<u32>(table, 4) == 0) return false;
    const role = Distribution.role(table);
    if (role == ACTION || role == OBSERVATION || role == WARNING) return true;
    const weights = hyper + <usize>role * FLOAT;
    return load<f32>(weights, POLICY_GRADIENT) != 0 || load<f32>(weights, CROSS_ENTROPY) != 0;
  }
}

/** scratch: V floats. */
export function maskedLogProb(
  logProb: usize,
  entropy: usize,
  logSumExp: usize,
  logits: usize,
  table: usize,
  rows: usize,
  legalSets: usize,
  hyper: usize,
  V: usize,
  scratch: usize,
): void {
  for (let r: usize = 0; r < rows; r++) {
    const row = table + r * ROW_BYTES;
    const at = r * FLOAT;
    if (!Distribution.isNeeded(row, hyper)) {
      store<f32>(logProb + at, 0);
      store<f32>(entropy + at, 0);
      store<f32>(logSumExp + at, 0);
      continue;
    }
    const isAction = Distribution.role(row) == ACTION;
    const temperature: f32 = isAction ? load<f32>(hyper, TEMPERATURE) : 1;
    const legal = isAction ? Distribution.legal(row, legalSets, V) : 0;
    Distribution.scale(scratch, logits + (r - 1) * V * FLOAT, V, temperature, legal);
    Distribution.measure(scratch, V);
    const z = load<f32>(scratch + <usize>load<u32>(row) * FLOAT);
    store<f32>(logProb + at, z - maximum - logTotal);
    store<f32>(entropy + at, logTotal - negativeLogits);
    store<f32>(logSumExp + at, maximum + logTotal);
  }
}

/** logits → d loss / d logits in place. scratch: V floats. */
export function maskedLogProbBackward(
  logits: usize,
  dLogProb: usize,
  dEntropy: usize,
  entropy: usize,
  logSumExp: usize,
  table: usize,
  rows: usize,
  legalSets: usize,
  hyper: usize,
  V: usize,
  scratch: usize,
): void {
  const bytes = V * FLOAT;
  for (let r: usize = 1; r <= rows; r++) {
    const row = table + r * ROW_BYTES;
    const at = r * FLOAT;
    const out = logits + (r - 1) * bytes;
    let byLogProb: f32 = 0;
    let byEntropy: f32 = 0;
    if (r < rows && Distribution.isNeeded(row, hyper)) {
      byLogProb = load<f32>(dLogProb + at);
      byEntropy = load<f32>(dEntropy + at);
    }
    if (byLogProb == 0 && byEntropy == 0) {
      memory.fill(out, 0, bytes);
      continue;
    }
    const isAction = Distribution.role(row) == ACTION;
    const temperature: f32 = isAction ? load<f32>(hyper, TEMPERATURE) : 1;
    const legal = isAction ? Distribution.legal(row, legalSets, V) : 0;
    Distribution.scale(scratch, out, V, temperature, legal);
    const H = load<f32>(entropy + at);
    const total = load<f32>(logSumExp + at);
    const chosen = load<u32>(row);
    const token = scratch + <usize>chosen * FLOAT;
    const isLegal = legal == 0 || ((load<u32>(legal + <usize>(chosen >> 5) * 4) >> (chosen & 31)) & 1) == 1;
    // A legal token whose own logit is −∞ has probability 0 and still a gradient.
    const tokenLog: f32 = <f32>Math.max(load<f32>(token) - total, -100);
    const totals = f32x4.splat(total);
    for (let v: usize = 0; v < bytes; v += 16) {
      const log = f32x4.pmax(f32x4.sub(v128.load(scratch + v), totals), f32x4.splat(NEGLIGIBLE));
      const p = Simd.exp(log);
      const direct = f32x4.mul(f32x4.splat(byLogProb), p);
      const spread = f32x4.mul(f32x4.mul(f32x4.splat(byEntropy), p), f32x4.add(log, f32x4.splat(H)));
      const sum = f32x4.div(f32x4.add(direct, spread), f32x4.splat(temperature));
      v128.store(scratch + v, f32x4.sub(f32x4.splat(0), sum));
    }
    if (isLegal) {
      const p = Mathf.exp(tokenLog);
      store<f32>(token, (byLogProb * (1 - p) - byEntropy * p * (tokenLog + H)) / temperature);
    }
    memory.copy(out, scratch, bytes);
  }
}

/** log-probs of a whole distribution for sampling: z ← exp(z − maximum); returns z's maximum. */
export function measureForSampling(z: usize, logits: usize, V: usize, temperature: f32, legal: usize): f32 {
  Distribution.scale(z, logits, V, temperature, legal);
  Distribution.measure(z, V);
  return maximum;
}

/** log Σ exp(z − maximum) of the last measured distribution. */
export function lastLogTotal(): f32 {
  return logTotal;
}
