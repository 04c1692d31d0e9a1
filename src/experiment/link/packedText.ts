/**
 * Text in a link: `1~` and the text deflated, in base64url. The first character is the version of this way of writing; a
 * text after `0~` is not packed. Short texts are shorter undeflated: the shorter one is written.
 */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import { LONGEST_WORLD } from '../../environments/own/own';
import { fromBase64url, toBase64url } from '../../foundation/base64url';

/** Kind of text. */
export interface TextKind {
  /** Largest number of characters. */
  readonly longest: number;
  /** Commonest pieces of such texts, to which deflate refers. Part of version 1, so they never change. */
  readonly common: Uint8Array;
}

const FORMULA_TEXT: TextKind = {
  longest: 4096,
  common: strToU8(
    'std_batch(std_group(to_go(turn_reward, 1)count_trajectory(mean_trajectory(sum_turn(sigmoid(softplus(detach(entropy' +
      ' where(tokens success reward mean_group(reward) std_group(reward) + 1e-6)sampler_logp ref_logp - logp\n' +
      'param beta = 0.05 in [0, 1]\nparam low = 0.2 in [0, 1]\nparam high = 0.28 in [0, 1]\nshow kl = clip_fraction = ' +
      'ratio = exp(logp - old_logp)\nloss = -A * logp\nloss = -min(ratio * A, clip(ratio, 1 - low, 1 + high) * A)\n',
  ),
};

/** Text of a user's world. */
export const WORLD_TEXT: TextKind = {
  longest: LONGEST_WORLD,
  common: strToU8(
    '.includes(.indexOf(.filter(.map((word) => .length; .slice(.join(Math.floor(Math.abs(const for (let i = 0; i < n; i++) ' +
      'random.weighted(random.shuffle(random.chance(random.pick(random.below(success: done: reward: warn: floor: \n' +
      "export default {\n  title: '',\n  summary: '.',\n  settings: {\n    size: { default: 4, min: 2, max: 8 },\n  },\n" +
      "  create({ size }) {\n    return {\n      words: [],\n      actions: ['up', 'down', 'left', 'right'],\n" +
      '      maxTurns: 20,\n      longest: { prompt: 1, answer: 1 },\n      heldOut: 0.2,\n      told: true,\n' +
      '      task: (random) => ({ }),\n      start: (task) => ({ state: { ...task }, say: [] }),\n' +
      '      step(state, action, random) {\n        return { state, say: [] };\n      },\n' +
      "      expert: (state) => ,\n      draw: (state) => ({ kind: 'board', width: size, height: size, cells, agent: [x, y] }),\n" +
      '    };\n  },\n};\n',
  ),
};

export function packText(text: string, { common }: TextKind = FORMULA_TEXT): string {
  const plain = `0~${toBase64url(strToU8(text))}`;
  const deflated = `1~${toBase64url(deflateSync(strToU8(text), { level: 9, dictionary: common }))}`;
  return deflated.length < plain.length ? deflated : plain;
}

/** Text of a packed one, of bounded length for any input. Throws for anything that packText did not write. */
export function unpackText(packed: string, { longest, common }: TextKind = FORMULA_TEXT): string {
  // Three bytes a character, undeflated.
  if (packed.length > 4 * longest + 2) throw new RangeError(`It has ${packed.length} characters.`);
  const version = packed.slice(0, 2);
  if (version !== '0~' && version !== '1~') throw new RangeError('It is of a version that this lab does not know.');
  const bytes = fromBase64url(packed.slice(2));
  // One byte more than is allowed shows what is too long.
  const raw =
    version === '0~' ? bytes : inflateSync(bytes, { out: new Uint8Array(4 * longest + 1), dictionary: common });
  const text = strFromU8(raw);
  if (text.length > longest) throw new RangeError(`It has more than ${longest} characters.`);
  return text;
}
