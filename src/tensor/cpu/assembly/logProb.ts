/**
 * The masked log-prob with its entropy, the gradient of both, and Σ p². Training and sampling share one distribution:
 * softmax(logits/temperature) over the legal tokens for what the policy drew, plain softmax for the rest. Rows that are not
 * needed give 0 and their logits are not read. A row of logits is S floats long, a multiple of 4; its first V are
 * tokens.
 */
import { Bound, Column, isDrawn, ROLES, Role } from './columns';
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

/** Tokens whose sums are single precision; blocks are added in double precision, so long rows lose no digits. */
const BLOCK: usize = 512;

/** Results of `Distribution.take`, `sums` and `measure`. */
export let maximum: f32 = 0;
export let total: f64 = 0;
export let weights: f64 = 0;
let logTotal: f32 = 0;
let negativeLogits: f32 = 0;

export class Distribution {
  /** z [V, rounded up to 4] = logits where legal, −∞ elsewhere; sets maximum. `legal`: bit mask, 0 for all. */
  @inline static take(z: usize, logits: usize, V: usize, legal: usize): void {
    const nothing = f32x4.splat(-Infinity);
    let largest = nothing;
    const whole = V & ~3;
    for (let v: usize = 0; v < whole; v += 4) {
      let value = v128.load(logits + v * FLOAT);
      if (legal) value = v128.bitselect(value, nothing, Distribution.legalQuad(legal, v));
      v128.store(z + v * FLOAT, value);
      largest = f32x4.pmax(largest, value);
    }
    let most = Simd.maximum(largest);
    if (whole < V) {
      v128.store(z + whole * FLOAT, nothing);
      for (let v = whole; v < V; v++) {
        if (!Distribution.isLegal(legal, <u32>v)) continue;
        const value = load<f32>(logits + v * FLOAT);
        store<f32>(z + v * FLOAT, value);
        if (value > most) most = value;
      }
    }
    maximum = most;
  }

  /** Sets total = Σ exp((z − largest)·inverse) and weights = Σ of the same times its exponent. */
  @inline static sums(z: usize, V: usize, largest: f32, inverse: f32): void {
    const maxima = f32x4.splat(largest);
    const inverses = f32x4.splat(inverse);
    total = 0;
    weights = 0;
    for (let first: usize = 0; first < V; first += BLOCK) {
      const end = min(first + BLOCK, V) * FLOAT;
      let powers = f32x4.splat(0);
      let weighted = f32x4.splat(0);
      for (let v = first * FLOAT; v < end; v += 16) {
        const scaled = f32x4.mul(f32x4.sub(v128.load(z + v), maxima), inverses);
        const below = f32x4.pmax(scaled, f32x4.splat(Bound.logProb));
        const power = Simd.exp(below);
        powers = f32x4.add(powers, power);
        weighted = Simd.madd(power, below, weighted);
      }
      total += <f64>Simd.sum(powers);
      weights += <f64>Simd.sum(weighted);
    }
  }

  /** Sets logTotal = log Σ exp((z − maximum)·inverse) and negativeLogits = Σ p·(z − maximum)·inverse. */
  @inline static measure(z: usize, V: usize, inverse: f32): void {
    Distribution.sums(z, V, maximum, inverse);
    logTotal = <f32>Math.log(total);
    negativeLogits = <f32>(weights / total);
  }

  /** Lanes v … v + 3 of a bit mask, v a multiple of 4. */
  @inline static legalQuad(legal: usize, v: usize): v128 {
    const nibble = <i32>load<u8>(legal + (v >> 3)) >> <i32>(v & 4);
    return i32x4.ne(v128.and(i32x4.splat(nibble), i32x4(1, 2, 4, 8)), i32x4.splat(0));
  }

  /** True if the token is legal; `legal` 0: every token is. */
  @inline static isLegal(legal: usize, token: u32): bool {
    return legal == 0 || ((load<u32>(legal + <usize>(token >> 5) * 4) >> (token & 31)) & 1) == 1;
  }

  @inline static role(table: usize): u32 {
    return load<u32>(table, 12) & 15;
  }

  /** The bit mask of a row's legal set; 0 for set 0, the full vocabulary. */
  @inline static legal(table: usize, sets: usize, V: usize): usize {
    const set = (load<u32>(table, 12) >> 4) & 255;
    return set == 0 ? 0 : sets + <usize>set * ((V + 31) >> 5) * 4;
  }

  /** The bit mask of a target's legal set; 0 for tokens that were not drawn, and for set 0. */
  @inline static legalTarget(table: usize, sets: usize, V: usize): usize {
    return isDrawn(Distribution.role(table)) ? Distribution.legal(table, sets, V) : 0;
  }

  /** 1/temperature of a target. */
  @inline static inverse(table: usize, hyper: usize): f32 {
    return isDrawn(Distribution.role(table)) ? 1 / load<f32>(hyper, Column.temperature) : 1;
  }

  @inline static isNeeded(table: usize, hyper: usize): bool {
    if (load<u32>(table, 4) == 0) return false;
    const role = Distribution.role(table);
    if (role < ROLES && role != Role.prompt) return true;
    const weights = hyper + <usize>role * FLOAT;
    return load<f32>(weights, Column.policyGradient) != 0 || load<f32>(weights, Column.crossEntropy) != 0;
  }

  /**
   * x [V, rounded up to 4] → p·(constant − byEntropy·log p)·inverse where legal, 0 elsewhere, in place; (largest, logSum)
   * at `logSumExp`. Numbers beyond V become 0.
   */
  @inline static spread(
    x: usize,
    V: usize,
    legal: usize,
    logSumExp: usize,
    inverse: f32,
    byLogProb: f32,
    byEntropy: f32,
    entropy: f32,
  ): void {
    const largest = v128.load_splat<f32>(logSumExp);
    const logSum = v128.load_splat<f32>(logSumExp + FLOAT);
    const inverses = f32x4.splat(inverse);
    const constants = f32x4.splat(-byLogProb - byEntropy * entropy);
    const slopes = f32x4.splat(byEntropy);
    for (let v: usize = 0; v < V; v += 4) {
      const at = x + v * FLOAT;
      const scaled = f32x4.sub(f32x4.mul(f32x4.sub(v128.load(at), largest), inverses), logSum);
      const log = f32x4.pmax(scaled, f32x4.splat(Bound.logProb));
      const factor = f32x4.sub(constants, f32x4.mul(slopes, log));
      let gradient = f32x4.mul(f32x4.mul(Simd.exp(log), factor), inverses);
      if (legal) gradient = v128.and(gradient, Distribution.legalQuad(legal, v));
      v128.store(at, gradient);
    }
    for (let v = V; v & 3; v++) store<f32>(x + v * FLOAT, 0);
  }
}

/**
 * logProb [rows, K], logSumExp [rows, 2]. The K tokens of a row are `targetStep` bytes after those of the row before.
 * scratch: V floats, rounded up to 4.
 */
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
  S: usize,
  targets: usize,
  K: usize,
  targetStep: usize,
  scratch: usize,
): void {
  for (let r: usize = 0; r < rows; r++) {
    const row = table + r * ROW_BYTES;
    const results = logProb + r * K * FLOAT;
    const sums = logSumExp + r * 2 * FLOAT;
    if (!Distribution.isNeeded(row, hyper)) {
      memory.fill(results, 0, K * FLOAT);
      store<f32>(entropy + r * FLOAT, 0);
      store<u64>(sums, 0);
      continue;
    }
    const legal = Distribution.legalTarget(row, legalSets, V);
    const inverse = Distribution.inverse(row, hyper);
    Distribution.take(scratch, logits + (r - 1) * S * FLOAT, V, legal);
    Distribution.measure(scratch, V, inverse);
    for (let k: usize = 0; k < K; k++) {
      const z = load<f32>(scratch + <usize>load<u32>(targets + r * targetStep + k * 4) * FLOAT);
      store<f32>(results + k * FLOAT, (z - maximum) * inverse - logTotal);
    }
    store<f32>(entropy + r * FLOAT, logTotal - negativeLogits);
    store<f32>(sums, maximum);
    store<f32>(sums, logTotal, FLOAT);
  }
}

/** Gradient by the logits, in place of them; tokens as in maskedLogProb. */
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
  S: usize,
  targets: usize,
  K: usize,
  targetStep: usize,
): void {
  const bytes = S * FLOAT;
  for (let r: usize = 1; r <= rows; r++) {
    const row = table + r * ROW_BYTES;
    const out = logits + (r - 1) * bytes;
    const derivatives = dLogProb + r * K * FLOAT;
    let anything = false;
    let byLogProb: f32 = 0;
    let byEntropy: f32 = 0;
    if (r < rows && Distribution.isNeeded(row, hyper)) {
      byEntropy = load<f32>(dEntropy + r * FLOAT);
      anything = byEntropy != 0;
      for (let k: usize = 0; k < K; k++) {
        const derivative = load<f32>(derivatives + k * FLOAT);
        anything = anything || derivative != 0;
        byLogProb += derivative;
      }
    }
    if (!anything) {
      memory.fill(out, 0, bytes);
      continue;
    }
    const legal = Distribution.legalTarget(row, legalSets, V);
    const inverse = Distribution.inverse(row, hyper);
    const H = load<f32>(entropy + r * FLOAT);
    Distribution.spread(out, V, legal, logSumExp + r * 2 * FLOAT, inverse, byLogProb, byEntropy, H);
    const end = (V + 3) & ~3;
    memory.fill(out + end * FLOAT, 0, bytes - end * FLOAT);
    for (let k: usize = 0; k < K; k++) {
      const token = load<u32>(targets + r * targetStep + k * 4);
      const at = out + <usize>token * FLOAT;
      if (!Distribution.isLegal(legal, token)) continue;
      store<f32>(at, load<f32>(at) + load<f32>(derivatives + k * FLOAT) * inverse);
    }
  }
}

/** out [rows] = Σ p² of actions, 0 for all others. scratch: V floats, rounded up to 4. */
export function sumOfSquares(
  out: usize,
  logSumExp: usize,
  logits: usize,
  table: usize,
  rows: usize,
  legalSets: usize,
  hyper: usize,
  V: usize,
  S: usize,
  scratch: usize,
): void {
  for (let r: usize = 0; r < rows; r++) {
    const row = table + r * ROW_BYTES;
    let sum: f64 = 0;
    if (load<u32>(row, 4) > 0 && isDrawn(Distribution.role(row))) {
      Distribution.take(scratch, logits + (r - 1) * S * FLOAT, V, Distribution.legal(row, legalSets, V));
      const largest = v128.load_splat<f32>(logSumExp + r * 2 * FLOAT);
      const logSum = v128.load_splat<f32>(logSumExp + (r * 2 + 1) * FLOAT);
      const inverses = f32x4.splat(Distribution.inverse(row, hyper));
      for (let first: usize = 0; first < V; first += BLOCK) {
        const end = min(first + BLOCK, V) * FLOAT;
        let squares = f32x4.splat(0);
        for (let v = first * FLOAT; v < end; v += 16) {
          const log = f32x4.sub(f32x4.mul(f32x4.sub(v128.load(scratch + v), largest), inverses), logSum);
          const power = Simd.exp(log);
          squares = Simd.madd(power, power, squares);
        }
        sum += <f64>Simd.sum(squares);
      }
    }
    store<f32>(out + r * FLOAT, <f32>sum);
  }
}

/** A whole distribution for sampling: z ← the legal logits, −∞ elsewhere; returns the largest. */
export function measureForSampling(z: usize, logits: usize, V: usize, inverse: f32, legal: usize): f32 {
  Distribution.take(z, logits, V, legal);
  Distribution.measure(z, V, inverse);
  return maximum;
}

/** log Σ exp((z − maximum)·inverse) of the last measured distribution. */
export function lastLogTotal(): f32 {
  return logTotal;
}
