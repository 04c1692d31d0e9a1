/** Correction for decoding: a factor of a token's loss where decoding recorded another log-prob than training finds. */
import { EXPONENT } from '../../../hyperparameters/exponents';
import type { PolicyMember } from './member';

const within = (c: number, { decodingLow, decodingHigh }: PolicyMember): boolean =>
  c >= decodingLow && c <= decodingHigh;

/** Factor of one token. gap: its old − behaviour log-prob; sum, count: of the action tokens of its trajectory. */
export function decodingFactor(member: PolicyMember, gap: number, sum: number, count: number): number {
  const mean = sum / Math.max(count, 1);
  const exponent = { token: gap, sequence: sum, geometric: mean }[member.decodingLevel];
  const c = Math.exp(Math.min(exponent, EXPONENT.decoding));
  switch (member.decodingCorrection) {
    case 'none':
      return 1;
    case 'truncate':
      return Math.min(Math.max(c, member.decodingLow), member.decodingHigh);
    case 'mask':
      return within(c, member) ? c : 0;
    case 'sequence-mask':
      return within(Math.exp(Math.min(mean, EXPONENT.decoding)), member)
        ? Math.exp(Math.min(gap, EXPONENT.decoding))
        : 0;
  }
}
