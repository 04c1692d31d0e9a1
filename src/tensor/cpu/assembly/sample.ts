/**
 * Drawing of tokens: Philox 4x32-10 (Salmon et al., SC 2011; the same function as foundation/philox.ts), sampling by
 * inverse CDF, and the progress of actions of several tokens.
 */
import { Column } from './columns';
import { Distribution, lastLogTotal, measureForSampling } from './logProb';
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

const NO_TOKEN: u32 = 0xffffffff;

/** First word of Philox's block. */
export function philox(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): u32 {
  for (let round = 0; round < 10; round++) {
    const product0 = <u64>0xd2511f53 * <u64>c0;
    const product1 = <u64>0xcd9e8d57 * <u64>c2;
    const next0 = <u32>(product1 >> 32) ^ c1 ^ k0;
    const next2 = <u32>(product0 >> 32) ^ c3 ^ k1;
    c0 = next0;
    c1 = <u32>product1;
    c2 = next2;
    c3 = <u32>product0;
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  return c0;
}

/** The first legal token whose cumulative probability exceeds u; z [V]: the legal logits, −∞ elsewhere, overwritten. */
function draw(z: usize, V: usize, maximum: f32, inverse: f32, u: f64): u32 {
  const maxima = f32x4.splat(maximum);
  const inverses = f32x4.splat(inverse);
  let total: f64 = 0;
  for (let v: usize = 0; v < V * FLOAT; v += 16) {
    const power = Simd.exp(f32x4.mul(f32x4.sub(v128.load(z + v), maxima), inverses));
    v128.store(z + v, power);
    total += <f64>f32x4.extract_lane(power, 0) + <f64>f32x4.extract_lane(power, 1);
    total += <f64>f32x4.extract_lane(power, 2) + <f64>f32x4.extract_lane(power, 3);
  }
  const threshold = u * total;
  let cumulative: f64 = 0;
  for (let v: usize = 0; v < V; v++) {
    cumulative += load<f32>(z + v * FLOAT);
    if (cumulative > threshold) return <u32>v;
  }
  return NO_TOKEN;
}

function isLegal(v: usize, legal: usize): bool {
  return legal == 0 || ((load<u32>(legal + (v >> 5) * 4) >> <u32>(v & 31)) & 1) != 0;
}

/** Log-prob of the token that explore() drew last. */
let exploredLogProb: f32 = 0;

/**
 * Draw from (1 − ε)·nucleus + ε·uniform over the legal tokens, as shaders/decoding/explore.wgsl. row [V]: logits;
 * z [V]: the legal ones, −∞ elsewhere, overwritten.
 */
function explore(
  z: usize,
  row: usize,
  V: usize,
  maximum: f32,
  inverse: f32,
  legal: usize,
  topP: f64,
  epsilon: f64,
  u: f64,
): u32 {
  let total: f64 = 0;
  let count: f64 = 0;
  for (let v: usize = 0; v < V; v++) {
    const power = isLegal(v, legal) ? Math.exp(<f64>((load<f32>(row + v * FLOAT) - maximum) * inverse)) : 0;
    store<f32>(z + v * FLOAT, <f32>power);
    total += power;
    if (isLegal(v, legal)) count += 1;
  }
  // The nucleus: tokens with a logit above `least`, and those equal to it up to `last`.
  let mass = total;
  let least: f32 = -f32.MAX_VALUE;
  let last: usize = V;
  if (topP > 0 && topP < 1) {
    mass = 0;
    least = f32.MAX_VALUE;
    for (let taken: f64 = 0; taken < count && mass < topP * total; taken += 1) {
      let next: f32 = 0;
      let place = V;
      for (let v: usize = 0; v < V; v++) {
        const logit = load<f32>(row + v * FLOAT);
        const isAfter = logit < least || (logit == least && v > last);
        if (isLegal(v, legal) && isAfter && (place == V || logit > next)) {
          next = logit;
          place = v;
        }
      }
      least = next;
      last = place;
      mass += <f64>load<f32>(z + place * FLOAT);
    }
  }
  let drawn: usize = 0;
  let cumulative: f64 = 0;
  for (let v: usize = 0; v < V; v++) {
    if (!isLegal(v, legal)) continue;
    const logit = load<f32>(row + v * FLOAT);
    const isIn = logit > least || (logit == least && v <= last);
    const weight = (isIn ? ((1 - epsilon) * <f64>load<f32>(z + v * FLOAT)) / mass : 0) + epsilon / count;
    if (weight == 0) continue;
    drawn = v;
    exploredLogProb = <f32>Math.log(weight);
    cumulative += weight;
    if (cumulative > u) break;
  }
  return <u32>drawn;
}

function lastLegal(V: usize, legal: usize): u32 {
  if (legal == 0) return <u32>(V - 1);
  for (let v: usize = V; v > 0; v--) {
    if ((load<u32>(legal + ((v - 1) >> 5) * 4) >> <u32>((v - 1) & 31)) & 1) return <u32>(v - 1);
  }
  return 0;
}

/** token, logProb [picks]; logits [picks, V]. key: (experiment seed, stream, update). scratch: V floats. */
export function sample(
  token: usize,
  logProb: usize,
  logits: usize,
  picks: usize,
  count: usize,
  legalSets: usize,
  hyper: usize,
  key: usize,
  seedIndex: u32,
  V: usize,
  scratch: usize,
): void {
  const inverse: f32 = 1 / load<f32>(hyper, Column.temperature);
  const topP = <f64>load<f32>(hyper, Column.topP);
  const epsilon = <f64>load<f32>(hyper, Column.uniformShare);
  const explores = (topP > 0 && topP < 1) || epsilon > 0;
  for (let i: usize = 0; i < count; i++) {
    const pick = picks + i * ROW_BYTES;
    const row = logits + i * V * FLOAT;
    const legal = Distribution.legal(pick, legalSets, V);
    const trajectory = load<u32>(pick, 8);
    const position = load<u32>(pick, 4);
    const bits = philox(seedIndex, load<u32>(key, 8), trajectory, position, load<u32>(key), load<u32>(key, 4));
    const u = (<f64>(bits >> 9) + 0.5) / 8388608;
    const maximum = measureForSampling(scratch, row, V, inverse, legal);
    if (explores) {
      store<u32>(token + i * FLOAT, explore(scratch, row, V, maximum, inverse, legal, topP, epsilon, u));
      store<f32>(logProb + i * FLOAT, exploredLogProb);
      continue;
    }
    let drawn = draw(scratch, V, maximum, inverse, u);
    if (drawn == NO_TOKEN) drawn = lastLegal(V, legal);
    store<u32>(token + i * FLOAT, drawn);
    const z = (load<f32>(row + <usize>drawn * FLOAT) - maximum) * inverse;
    store<f32>(logProb + i * FLOAT, z - lastLogTotal());
  }
}

/**
 * Makes the drawn tokens the next rows. An action's last token (the stop token, one of `stops`, or the last it may
 * have) still gets a row; after that, its row and pick do not change. left: tokens each action may still have; sampled,
 * sampledLogProb: this step's; all [picks].
 */
export function continueAction(
  table: usize,
  picks: usize,
  count: usize,
  left: usize,
  sampled: usize,
  sampledLogProb: usize,
  token: usize,
  logProb: usize,
  stopToken: u32,
  context: u32,
  stops: usize,
): void {
  for (let i: usize = 0; i < count; i++) {
    const at = i * FLOAT;
    const mayHave = load<u32>(left + at);
    if (mayHave == 0) {
      store<u32>(sampled + at, NO_TOKEN);
      store<f32>(sampledLogProb + at, 0);
      continue;
    }
    const drawn = load<u32>(token + at);
    store<u32>(sampled + at, drawn);
    store<f32>(sampledLogProb + at, load<f32>(logProb + at));
    const row = table + i * ROW_BYTES;
    const pick = picks + i * ROW_BYTES;
    const position = load<u32>(pick, 4);
    store<u32>(row, drawn);
    store<u32>(row, position, 4);
    store<u32>(row, load<u32>(pick, 8) * context, 8);
    store<u32>(row, load<u32>(pick, 12), 12);
    store<u32>(pick, <u32>i);
    store<u32>(pick, position + 1, 4);
    const ends =
      drawn == stopToken || (stops != 0 && ((load<u32>(stops + <usize>(drawn >> 5) * FLOAT) >> (drawn & 31)) & 1) == 1);
    store<u32>(left + at, ends ? 0 : mayHave - 1);
  }
}
