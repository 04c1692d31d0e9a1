/** The reference of the operations that draw the tokens of actions: with exploration or without, and action by action. */
import { philox4x32, toUnitFloat } from '../../foundation/philox';
import { HYPER, ROW_FIELDS } from '../layout';
import { distribution } from './logProb';
import { at, member, rowsInUse, type Written } from './storage';

interface Drawable {
  readonly legal: readonly number[];
  readonly logProb: (v: number) => number;
}

/** The distribution to draw from: the nucleus of topP, mixed with the uniform one by uniformShare. */
function explored({ legal, logProb }: Drawable, hyper: Float64Array): Drawable {
  const [topP, epsilon] = [at(hyper, HYPER.topP), at(hyper, HYPER.uniformShare)];
  if (!(topP > 0 && topP < 1) && epsilon === 0) return { legal, logProb };
  const nucleus = new Set<number>();
  let mass = 0;
  for (const v of [...legal].sort((a, b) => logProb(b) - logProb(a) || a - b)) {
    if (topP > 0 && mass >= topP) break;
    nucleus.add(v);
    mass += Math.exp(logProb(v));
  }
  const weight = (v: number): number =>
    (nucleus.has(v) ? ((1 - epsilon) * Math.exp(logProb(v))) / mass : 0) + epsilon / legal.length;
  return { legal: legal.filter((v) => weight(v) > 0), logProb: (v) => Math.log(weight(v)) };
}

/** Inverse-CDF sampling: one Philox draw a token, from a counter that names the token and nothing else. */
export const sample: Written<'sample'> = (
  members,
  token,
  logProb,
  logits,
  picks,
  legalSets,
  hyper,
  key,
  seedIndex,
  vocabulary,
) => {
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
      const row = z.subarray(i * vocabulary, (i + 1) * vocabulary);
      const own = explored(distribution(row, temperature, sets, legalSet, vocabulary), member(hyper, p));
      let cumulative = 0;
      const drawn = own.legal.find((v) => {
        cumulative += Math.exp(own.logProb(v));
        return cumulative > u;
      });
      const chosen = drawn ?? (own.legal.at(-1) as number);
      tokens[i] = chosen;
      logProbs[i] = own.logProb(chosen);
    }
  }
};

const NO_TOKEN = 0xffffffff;

/** An action's last token still gets a row; after that, row and pick stay. left: tokens it may still have. */
export const continueAction: Written<'continueAction'> = (
  members,
  rows,
  picks,
  left,
  sampled,
  sampledLogProb,
  token,
  logProb,
  sizes,
  stops = null,
) => {
  const isStop = (token: number): boolean =>
    token === sizes.stopToken || (stops !== null && ((at(member(stops, 0), token >>> 5) >>> (token & 31)) & 1) === 1);
  for (let p = 0; p < members; p++) {
    const [rowTable, pickTable, mayHave] = [member(rows.table, p), member(picks.table, p), member(left, p)];
    const [drawnTokens, drawnLogProbs] = [member(sampled, p), member(sampledLogProb, p)];
    const [tokens, logProbs] = [member(token, p), member(logProb, p)];
    const picked = rowsInUse(picks, p);
    for (const { index: i, position } of picked) {
      const slot = sizes.step * picks.capacity + i;
      if (at(mayHave, i) === 0) {
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
      mayHave[i] = isStop(drawn) ? 0 : at(mayHave, i) - 1;
    }
    member(rows.count, p)[0] = picked.length;
  }
};
