/** The correction for decoding: what a token's loss is multiplied by because decoding gave it another log-prob. */
import type { PolicyMember } from './member';

/** c = exp of (old − behaviour) log-prob is taken of no more than this: verl's bound. */
const LIMIT = 20;

const within = (c: number, { decodingLow, decodingHigh }: PolicyMember): boolean =>
  c >= decodingLow && c <= decodingHigh;

/** From the token's own old − behaviour log-prob, and the sum and number of them in its trajectory. */
export function decodingFactor(member: PolicyMember, own: number, sum: number, count: number): number {
  const mean = sum / Math.max(count, 1);
  const exponent = { token: own, sequence: sum, geometric: mean }[member.decodingLevel];
  const c = Math.exp(Math.min(exponent, LIMIT));
  switch (member.decodingCorrection) {
    case 'none':
      return 1;
    case 'truncate':
      return Math.min(Math.max(c, member.decodingLow), member.decodingHigh);
    case 'mask':
      return within(c, member) ? c : 0;
    case 'sequence-mask':
      return within(Math.exp(Math.min(mean, LIMIT)), member) ? Math.exp(Math.min(own, LIMIT)) : 0;
  }
}
