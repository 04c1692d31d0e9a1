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
  for (let i: usize = 0; i < count; i++) {
    const pick = picks + i * ROW_BYTES;
    const row = logits + i * V * FLOAT;
    const legal = Distribution.legal(pick, legalSets, V);
    const trajectory = load<u32>(pick, 8);
    const position = load<u32>(pick, 4);
    const bits = philox(seedIndex, load<u32>(key, 8), trajectory, position, load<u32>(key), load<u32>(key, 4));
    const u = (<f64>(bits >> 9) + 0.5) / 8388608;
    const maximum = measureForSampling(scratch, row, V, inverse, legal);
    let drawn = draw(scratch, V, maximum, inverse, u);
    if (drawn == NO_TOKEN) drawn = lastLegal(V, legal);
    store<u32>(token + i * FLOAT, drawn);
    const z = (load<f32>(row + <usize>drawn * FLOAT) - maximum) * inverse;
    store<f32>(logProb + i * FLOAT, z - lastLogTotal());
  }
}

/**
 * Makes the drawn tokens the next rows. An action's last token (the stop token, or the last it may have) still gets a
 * row; after that, its row and pick stay as they are. left: tokens each action may still have; sampled, sampledLogProb:
 * this step's; all [picks].
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
    store<u32>(left + at, drawn == stopToken ? 0 : mayHave - 1);
  }
}
