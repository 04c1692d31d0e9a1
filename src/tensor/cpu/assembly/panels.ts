/**
 * Panels: copies of a matrix's columns or rows, a few at a time, in the order in which the inner loops of products read them.
 * Both sides are multiples of 4, so a panel of 8 may be half full; nothing is read of what its other half holds. Strides in
 * bytes.
 */
import { FLOAT } from './simd';
import { F32, Weights } from './weights';

/** Columns of a panel on the right of a product. */
export const PANEL: usize = 8;

export class Panels {
  /** Columns in whole panels. */
  @inline static padded(columns: usize): usize {
    return (columns + PANEL - 1) & ~(PANEL - 1);
  }
}

/** Four floats of each row, one after the other. */
function packFour(to: usize, from: usize, stride: usize, rows: usize): void {
  for (const end = to + rows * 16; to < end; to += 16) {
    v128.store(to, v128.load(from));
    from += stride;
  }
}

/** Eight floats of each row, one after the other. */
function packEight(to: usize, from: usize, stride: usize, rows: usize): void {
  for (const end = to + rows * 32; to < end; to += 32) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    from += stride;
  }
}

/**
 * from [rows, columns] of a type → panels of `width` (4 or 8) columns, [rows][width] each. Down the columns: that order is
 * foreseen.
 */
export function packColumns(
  to: usize,
  from: usize,
  stride: usize,
  rows: usize,
  columns: usize,
  width: usize,
  type: u32 = F32,
): void {
  const bytes = Weights.bytes(type);
  for (let c: usize = 0; c < columns; c += width) {
    const isWhole = c + 4 < columns;
    let source = from + c * bytes;
    if (type == F32 && width == 4) {
      packFour(to, source, stride, rows);
      to += rows * 16;
      continue;
    }
    if (type == F32 && isWhole) {
      packEight(to, source, stride, rows);
      to += rows * 32;
      continue;
    }
    for (let r: usize = 0; r < rows; r++) {
      v128.store(to, Weights.four(source, type));
      if (width == PANEL) v128.store(to, isWhole ? Weights.four(source + 4 * bytes, type) : f32x4.splat(0), 16);
      to += width * FLOAT;
      source += stride;
    }
  }
}

/** from [rows, columns] of a type → panels of 8 rows, [columns][8] each. */
export function packRows(to: usize, from: usize, stride: usize, rows: usize, columns: usize, type: u32): void {
  const step = 4 * Weights.bytes(type);
  for (let r: usize = 0; r < rows; r += 4) {
    let a = from + r * stride;
    let b = a + stride;
    let c = b + stride;
    let d = c + stride;
    let target = to + (r & ~(PANEL - 1)) * columns * FLOAT + (r & 4) * FLOAT;
    for (let k: usize = 0; k < columns; k += 4) {
      const va = Weights.four(a, type);
      const vb = Weights.four(b, type);
      const vc = Weights.four(c, type);
      const vd = Weights.four(d, type);
      let ab = v128.shuffle<f32>(va, vb, 0, 4, 1, 5);
      let cd = v128.shuffle<f32>(vc, vd, 0, 4, 1, 5);
      v128.store(target, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
      v128.store(target, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 32);
      ab = v128.shuffle<f32>(va, vb, 2, 6, 3, 7);
      cd = v128.shuffle<f32>(vc, vd, 2, 6, 3, 7);
      v128.store(target, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), 64);
      v128.store(target, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 96);
      target += 4 * PANEL * FLOAT;
      a += step;
      b += step;
      c += step;
      d += step;
    }
  }
}
