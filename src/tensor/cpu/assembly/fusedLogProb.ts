/**
 * Log-probs of hidden·head and their gradient, without storing the logits. The vocabulary is cut into tiles, the needed
 * rows into blocks. The logits of a tile and a block are one matrix product, stay in the first-level cache and are used
 * at once: forward by an online softmax, backward by both products of the gradient.
 */
import { Bound } from './columns';
import { product } from './linear';
import { addOuter } from './linearWeight';
import { Distribution, maximum, total, weights } from './logProb';
import { PANEL, Panels, packColumns, packRows } from './panels';
import { add, ROW_BYTES } from './rows';
import { FLOAT } from './simd';
import { Weights } from './weights';

/** Tokens a tile, a multiple of 32, as a tile starts at a word of the bit masks; rows a block. */
const TILE: usize = 256;
const BLOCK: usize = 32;
/** Bytes of a row's running numbers: Σ e and Σ e·z (f64), the largest logit, the row's own logit (f32). */
const KNOWN_BYTES: usize = 24;

/** Floats of scratch, for the parts that `Scratch.divide` makes. */
export function fusedScratch(C: usize, rows: usize): usize {
  const panelsOfHead = (C + Panels.padded(C)) * TILE;
  return panelsOfHead + BLOCK * (3 * C + 2 * TILE) + rows + rows * (KNOWN_BYTES / FLOAT) + 8;
}

/** Addresses of the parts of scratch. */
let panels: usize = 0;
let transposed: usize = 0;
let block: usize = 0;
let products: usize = 0;
let tile: usize = 0;
let columns: usize = 0;
let known: usize = 0;
let list: usize = 0;

class Scratch {
  @inline static divide(scratch: usize, C: usize, rows: usize): void {
    panels = scratch;
    transposed = panels + C * TILE * FLOAT;
    block = transposed + Panels.padded(C) * TILE * FLOAT;
    products = block + BLOCK * C * FLOAT;
    tile = products + BLOCK * C * FLOAT;
    columns = tile + BLOCK * TILE * FLOAT;
    known = columns + BLOCK * (C + TILE) * FLOAT;
    list = known + rows * KNOWN_BYTES;
  }

  @inline static row(i: usize): usize {
    return <usize>load<u32>(list + i * 4);
  }

  /** `count` rows of hidden from the i-th of the list on, one after the other. */
  @inline static gather(hidden: usize, C: usize, i: usize, count: usize): void {
    const bytes = C * FLOAT;
    for (let k: usize = 0; k < count; k++)
      memory.copy(block + k * bytes, hidden + (Scratch.row(i + k) - 1) * bytes, bytes);
  }

  /** Address of the legal set's words from token v on; 0 for the full vocabulary. */
  @inline static legal(row: usize, legalSets: usize, V: usize, v: usize): usize {
    const legal = Distribution.legalTarget(row, legalSets, V);
    return legal == 0 ? 0 : legal + (v >> 3);
  }
}

/** head: of a type. scratch: fusedScratch(C, rows) floats. */
export function fusedLogProb(
  logProb: usize,
  entropy: usize,
  logSumExp: usize,
  hidden: usize,
  table: usize,
  rows: usize,
  head: usize,
  type: u32,
  C: usize,
  V: usize,
  legalSets: usize,
  hyper: usize,
  scratch: usize,
): void {
  const bytes = Weights.bytes(type);
  Scratch.divide(scratch, C, rows);
  memory.fill(logProb, 0, rows * FLOAT);
  memory.fill(entropy, 0, rows * FLOAT);
  memory.fill(logSumExp, 0, rows * 2 * FLOAT);
  let needed: usize = 0;
  for (let r: usize = 0; r < rows; r++) {
    if (!Distribution.isNeeded(table + r * ROW_BYTES, hyper)) continue;
    store<u32>(list + needed * 4, <u32>r);
    const state = known + needed * KNOWN_BYTES;
    store<f64>(state, 0);
    store<f64>(state, 0, 8);
    store<f32>(state, -Infinity, 16);
    store<f32>(state, -Infinity, 20);
    needed++;
  }
  for (let v: usize = 0; v < V; v += TILE) {
    const width = min(TILE, V - v);
    packColumns(panels, head + v * bytes, V * bytes, C, width, PANEL, type);
    for (let i: usize = 0; i < needed; i += BLOCK) {
      const count = min(BLOCK, needed - i);
      Scratch.gather(hidden, C, i, count);
      product(tile, width * FLOAT, block, count, C, width, panels, 0, false);
      for (let k: usize = 0; k < count; k++) {
        const row = table + Scratch.row(i + k) * ROW_BYTES;
        const state = known + (i + k) * KNOWN_BYTES;
        const z = tile + k * width * FLOAT;
        Distribution.take(z, z, width, Scratch.legal(row, legalSets, V, v));
        // NaN must come out as NaN: only a tile without any legal token is passed over.
        if (maximum == -Infinity && load<f32>(z) == -Infinity) continue;
        const token = <usize>load<u32>(row) - v;
        if (token < width) store<f32>(state, load<f32>(z + token * FLOAT), 20);
        const before = load<f32>(state, 16);
        const largest = max(before, maximum);
        const inverse = Distribution.inverse(row, hyper);
        const shift = <f64>max((before - largest) * inverse, Bound.logProb);
        const scale = Math.exp(shift);
        Distribution.sums(z, width, largest, inverse);
        store<f64>(state, (load<f64>(state, 8) + load<f64>(state) * shift) * scale + weights, 8);
        store<f64>(state, load<f64>(state) * scale + total);
        store<f32>(state, largest, 16);
      }
    }
  }
  for (let i: usize = 0; i < needed; i++) {
    const r = Scratch.row(i);
    const state = known + i * KNOWN_BYTES;
    const logSum = Math.log(load<f64>(state));
    const largest = load<f32>(state, 16);
    const own = (load<f32>(state, 20) - largest) * Distribution.inverse(table + r * ROW_BYTES, hyper);
    store<f32>(logProb + r * FLOAT, <f32>(<f64>own - logSum));
    store<f32>(entropy + r * FLOAT, <f32>(logSum - load<f64>(state, 8) / load<f64>(state)));
    store<f32>(logSumExp + r * 2 * FLOAT, largest);
    store<f32>(logSumExp + r * 2 * FLOAT, <f32>logSum, FLOAT);
  }
}

/**
 * Gradient of one chunk: `rows` rows of whole trajectories; dHead [C,V] (=), 0: the head is frozen. scratch: fusedScratch(C, rows)
 * floats.
 */
export function fusedLogProbBackward(
  dHidden: usize,
  dHead: usize,
  dLogProb: usize,
  dEntropy: usize,
  entropy: usize,
  logSumExp: usize,
  hidden: usize,
  table: usize,
  rows: usize,
  head: usize,
  type: u32,
  C: usize,
  V: usize,
  legalSets: usize,
  hyper: usize,
  scratch: usize,
): void {
  const bytes = Weights.bytes(type);
  Scratch.divide(scratch, C, rows);
  memory.fill(dHidden, 0, rows * C * FLOAT);
  if (dHead != 0) memory.fill(dHead, 0, C * V * FLOAT);
  let needed: usize = 0;
  for (let r: usize = 0; r < rows; r++) {
    if (!Distribution.isNeeded(table + r * ROW_BYTES, hyper)) continue;
    if (load<f32>(dLogProb + r * FLOAT) == 0 && load<f32>(dEntropy + r * FLOAT) == 0) continue;
    store<u32>(list + needed * 4, <u32>r);
    needed++;
  }
  if (needed == 0) return;
  for (let v: usize = 0; v < V; v += TILE) {
    const width = min(TILE, V - v);
    packColumns(panels, head + v * bytes, V * bytes, C, width, PANEL, type);
    packRows(transposed, head + v * bytes, V * bytes, C, width, type);
    for (let i: usize = 0; i < needed; i += BLOCK) {
      const count = min(BLOCK, needed - i);
      Scratch.gather(hidden, C, i, count);
      product(tile, width * FLOAT, block, count, C, width, panels, 0, false);
      for (let k: usize = 0; k < count; k++) {
        const r = Scratch.row(i + k);
        const row = table + r * ROW_BYTES;
        const z = tile + k * width * FLOAT;
        const legal = Scratch.legal(row, legalSets, V, v);
        const inverse = Distribution.inverse(row, hyper);
        const byLogProb = load<f32>(dLogProb + r * FLOAT);
        const H = load<f32>(entropy + r * FLOAT);
        const byEntropy = load<f32>(dEntropy + r * FLOAT);
        Distribution.spread(z, width, legal, logSumExp + r * 2 * FLOAT, inverse, byLogProb, byEntropy, H);
        const token = <usize>load<u32>(row) - v;
        if (token >= width || !Distribution.isLegal(legal, <u32>token)) continue;
        const own = z + token * FLOAT;
        store<f32>(own, load<f32>(own) + byLogProb * inverse);
      }
      if (dHead != 0) {
        packColumns(columns, block, C * FLOAT, count, C, 4);
        packColumns(columns + BLOCK * C * FLOAT, tile, width * FLOAT, count, width, PANEL);
        addOuter(dHead + v * FLOAT, V * FLOAT, columns, columns + BLOCK * C * FLOAT, count, C, width);
      }
      product(products, C * FLOAT, tile, count, width, C, transposed, 0, false);
      for (let k: usize = 0; k < count; k++) {
        add(dHidden + (Scratch.row(i + k) - 1) * C * FLOAT, products + k * C * FLOAT, C);
      }
    }
  }
}
