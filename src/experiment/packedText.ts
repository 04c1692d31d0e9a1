/**
 * Text in a link: `1~` and the text deflated, in base64url. The first character is the version of this way of writing; a
 * text after `0~` stands as it is. Short texts are shorter undeflated: the shorter one is written.
 */
import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import { fromBase64url, toBase64url } from '../foundation/base64url';

/** Largest number of characters of a text. */
const LONGEST = 4096;
/** Largest number of characters of a packed text: three bytes a character, undeflated. */
const LONGEST_PACKED = 4 * LONGEST + 2;

/** What formulas are mostly made of: deflate refers to it. Part of version 1, so it never changes. */
const COMMON = strToU8(
  'std_batch(std_group(to_go(turn_reward, 1)count_trajectory(mean_trajectory(sum_turn(sigmoid(softplus(detach(entropy' +
    ' where(tokens success reward mean_group(reward) std_group(reward) + 1e-6)sampler_logp ref_logp - logp\n' +
    'param beta = 0.05 in [0, 1]\nparam low = 0.2 in [0, 1]\nparam high = 0.28 in [0, 1]\nshow kl = clip_fraction = ' +
    'ratio = exp(logp - old_logp)\nloss = -A * logp\nloss = -min(ratio * A, clip(ratio, 1 - low, 1 + high) * A)\n',
);

export function packText(text: string): string {
  const plain = `0~${toBase64url(strToU8(text))}`;
  const deflated = `1~${toBase64url(deflateSync(strToU8(text), { level: 9, dictionary: COMMON }))}`;
  return deflated.length < plain.length ? deflated : plain;
}

/** Throws for anything that packText did not write; what comes out is bounded whatever went in. */
export function unpackText(packed: string): string {
  if (packed.length > LONGEST_PACKED) throw new RangeError(`It has ${packed.length} characters.`);
  const version = packed.slice(0, 2);
  if (version !== '0~' && version !== '1~') throw new RangeError('It is of a version that this lab does not know.');
  const bytes = fromBase64url(packed.slice(2));
  // One byte more than is allowed shows what is too long.
  const raw =
    version === '0~' ? bytes : inflateSync(bytes, { out: new Uint8Array(4 * LONGEST + 1), dictionary: COMMON });
  const text = strFromU8(raw);
  if (text.length > LONGEST) throw new RangeError(`It has more than ${LONGEST} characters.`);
  return text;
}
