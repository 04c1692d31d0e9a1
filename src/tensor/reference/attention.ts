/**
 * The reference of causal attention over packed trajectories, with and without a key-value cache, and of its gradient
 * from the saved log-sum-exp (as in FlashAttention, arXiv 2205.14135, section 3 and appendix B).
 */
import { type Heads, headWidths } from '../heads';
import { add, at, member, rowsBySequence, rowsInUse, type TokenRow, type Written } from './storage';

export const storeKeyValue: Written<'storeKeyValue'> = (members, cache, qkv, rows, heads) => {
  const { queries, keys, row } = headWidths(heads);
  for (let p = 0; p < members; p++) {
    const [stored, x] = [member(cache, p), member(qkv, p)];
    for (const { index: r, keyBase, position } of rowsInUse(rows, p)) {
      const address = (keyBase + position) * 2 * keys;
      for (let c = 0; c < 2 * keys; c++) {
        at(stored, address + c);
        stored[address + c] = at(x, r * row + queries + c);
      }
    }
  }
};

/** Head of the keys that head h of the queries looks at. */
const keyHead = ({ queries, keys }: Heads, h: number): number => Math.floor(h / (queries / keys));

/** The scaled score q·k/√D of query row `query` against a key at `keyOffset` of `keys`. */
function score(x: Float64Array, query: number, keys: Float64Array, keyOffset: number, D: number): number {
  let sum = 0;
  for (let d = 0; d < D; d++) sum += at(x, query + d) * at(keys, keyOffset + d);
  return sum / Math.sqrt(D);
}

export const attention: Written<'attention'> = (members, out, logSumExp, qkv, cache, rows, heads) => {
  const { queries: H, width: D } = heads;
  const widths = headWidths(heads);
  for (let p = 0; p < members; p++) {
    const [y, lse, x] = [member(out, p), member(logSumExp, p), member(qkv, p)];
    const keys = cache === null ? x : member(cache, p);
    const [width, first] = cache === null ? [widths.row, widths.queries] : [2 * widths.keys, 0];
    for (const { index: r, keyBase, position } of rowsInUse(rows, p)) {
      for (let h = 0; h < H; h++) {
        const keyOffset = (t: number): number => (keyBase + t) * width + first + keyHead(heads, h) * D;
        const scores = Array.from({ length: position + 1 }, (_, t) =>
          score(x, r * widths.row + h * D, keys, keyOffset(t), D),
        );
        const maximum = scores.reduce((a, b) => Math.max(a, b));
        const sum = scores.reduce((total, s) => total + Math.exp(s - maximum), 0);
        lse[r * H + h] = maximum + Math.log(sum);
        for (let d = 0; d < D; d++) {
          let value = 0;
          scores.forEach((s, t) => {
            value += (Math.exp(s - maximum) / sum) * at(keys, keyOffset(t) + widths.keys + d);
          });
          y[r * widths.queries + h * D + d] = value;
        }
      }
    }
  }
};

export const attentionProbabilities: Written<'attentionProbabilities'> = (
  members,
  out,
  qkv,
  logSumExp,
  picks,
  rows,
  heads,
) => {
  const { queries: H, width: D } = heads;
  const T = out.stride / (picks.capacity * H);
  const widths = headWidths(heads);
  for (let p = 0; p < members; p++) {
    const [y, x, lse, table] = [member(out, p), member(qkv, p), member(logSumExp, p), member(picks.table, p)];
    const inUse = [...rowsInUse(rows, p)];
    for (const { index: i } of rowsInUse(picks, p)) {
      const { index: r, keyBase, position } = inUse[at(table, i * 4)];
      for (let h = 0; h < H; h++) {
        for (let t = 0; t < T; t++) {
          const key = (keyBase + t) * widths.row + widths.queries + keyHead(heads, h) * D;
          const isSeen = t <= position;
          const probability = isSeen ? Math.exp(score(x, r * widths.row + h * D, x, key, D) - at(lse, r * H + h)) : 0;
          y[(i * H + h) * T + t] = probability;
        }
      }
    }
  }
};

/**
 * Per query row q, key row k ≤ q and head, with P = exp(score − logSumExp):
 *   dV_k += P·dOut_q;  dS = P·(dOut_q·V_k − dOut_q·out_q)/√D;  dQ_q += dS·K_k;  dK_k += dS·Q_q.
 */
export const attentionBackward: Written<'attentionBackward'> = (
  members,
  dqkv,
  dOut,
  out,
  logSumExp,
  qkv,
  rows,
  heads,
) => {
  const { queries: H, width: D } = heads;
  const { queries: C, keys, row } = headWidths(heads);
  for (let p = 0; p < members; p++) {
    const [dx, dy, y, lse, x] = [
      member(dqkv, p),
      member(dOut, p),
      member(out, p),
      member(logSumExp, p),
      member(qkv, p),
    ];
    const onePair = (query: TokenRow, key: TokenRow, h: number): void => {
      const yAt = query.index * C + h * D;
      const qAt = query.index * row + h * D;
      const kAt = key.index * row + C + keyHead(heads, h) * D;
      const vAt = kAt + keys;
      const probability = Math.exp(score(x, qAt, x, kAt, D) - at(lse, query.index * H + h));
      let dProbability = 0;
      for (let d = 0; d < D; d++) dProbability += at(dy, yAt + d) * (at(x, vAt + d) - at(y, yAt + d));
      const dScore = (probability * dProbability) / Math.sqrt(D);
      for (let d = 0; d < D; d++) {
        add(dx, qAt + d, dScore * at(x, kAt + d));
        add(dx, kAt + d, dScore * at(x, qAt + d));
        add(dx, vAt + d, probability * at(dy, yAt + d));
      }
    };
    for (const sequence of rowsBySequence(rows, p)) {
      for (const { index: r } of sequence) dx.fill(0, r * row, (r + 1) * row);
      for (const query of sequence) {
        for (const key of sequence) {
          if (key.position > query.position) continue;
          for (let h = 0; h < H; h++) onePair(query, key, h);
        }
      }
    }
  }
};
