/** Selection of the tokens that keep their loss: by covariance of advantage and log-prob, and by entropy. */
import { philox4x32 } from '../../../foundation/philox';
import type { FloatData } from '../../backend';
import type { PolicyObjectiveOperations } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';
import { type PolicyMember, policyMember } from './member';
import { surrogatesOf } from './surrogates';

/** Philox key of clip-cov's draws; the counter is (place, bits of the old log-prob, 0, 0). */
const DRAW_KEY = [0x636c6970, 0x636f7632] as const;

export function selectTokens(host: ObjectiveHost): PolicyObjectiveOperations['selectTokens'] {
  return (selection, _scratch, _batch, inputs, hyper) => {
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const member = policyMember(host.f32(hyper, p));
        const out = host.f32(selection, p);
        out.fill(1);
        const byCovariance = member.surrogate === 'clip-cov' || member.surrogate === 'kl-cov';
        const byEntropy = member.entropyShare > 0 && member.entropyShare < 1;
        if (!byCovariance && !byEntropy) continue;
        const weights = host.f32(inputs.policyWeight, p);
        const tokens = Array.from(weights.keys()).filter((at) => weights[at] !== 0);
        const [logProb, old] = [host.f32(inputs.logProb, p), host.f32(inputs.oldLogProb, p)];
        const advantage = host.f32(inputs.advantage, p);
        if (byCovariance) selectByCovariance(out, tokens, { logProb, old, advantage }, member);
        if (byEntropy) dropCertain(out, tokens, host.f32(inputs.entropy, p), member.entropyShare);
      }
    });
  };
}

/** Drops tokens below an order statistic. TRL's quantile lies at it or just below, so it drops the same tokens. */
function dropCertain(out: FloatData, tokens: readonly number[], entropy: FloatData, share: number): void {
  if (tokens.length === 0) return;
  const sorted = tokens.map((at) => entropy[at]).sort((a, b) => a - b);
  // Rounded as the kernel rounds: the ranks must agree.
  const rank = Math.ceil(Math.fround(Math.fround(1 - Math.fround(share)) * (tokens.length - 1)));
  const threshold = sorted[rank];
  for (const at of tokens) if (entropy[at] < threshold) out[at] = 0;
}

interface Inputs {
  readonly logProb: FloatData;
  readonly old: FloatData;
  readonly advantage: FloatData;
}

function selectByCovariance(
  out: FloatData,
  tokens: readonly number[],
  { logProb, old, advantage }: Inputs,
  member: PolicyMember,
): void {
  const mean = (values: FloatData): number =>
    tokens.reduce((sum, at) => sum + values[at], 0) / Math.max(tokens.length, 1);
  const [meanAdvantage, meanLogProb] = [mean(advantage), mean(logProb)];
  const covariance = (at: number): number => (advantage[at] - meanAdvantage) * (logProb[at] - meanLogProb);
  // Rounded as the kernel rounds: the counts must agree.
  const count = Math.max(1, Math.floor(Math.fround(Math.fround(member.covarianceShare) * tokens.length)));
  if (member.surrogate === 'kl-cov') {
    const highest = tokens.map((at) => ({ at, key: -covariance(at) }));
    for (const { at } of smallest(highest, count)) out[at] = 2;
    return;
  }
  const ofTokens = (value: (at: number) => number): Float64Array => Float64Array.from(tokens, value);
  const inputs = {
    logRatio: ofTokens((at) => logProb[at] - old[at]),
    logProb: ofTokens((at) => logProb[at]),
    baseLogProb: ofTokens((at) => old[at]),
    advantage: ofTokens((at) => advantage[at]),
    selection: ofTokens(() => 1),
  };
  const clipped = surrogatesOf(tokens.length, inputs, { ...member, surrogate: 'ppo' })('clipped');
  const candidates = tokens.filter((at, i) => {
    const value = covariance(at);
    return value > member.covarianceLow && value < member.covarianceHigh && clipped[i] === 0;
  });
  const drawn = candidates.map((at) => ({ at, key: draw(at, old[at]) }));
  for (const { at } of smallest(drawn, count)) out[at] = 0;
}

/** The entries with the smallest keys, the earlier of equals first. */
function smallest<T extends { readonly at: number; readonly key: number }>(entries: readonly T[], count: number): T[] {
  return [...entries].sort((a, b) => a.key - b.key || a.at - b.at).slice(0, count);
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Pseudo-random number, 31 bits, from a token's place and old log-prob: differs between tokens and between updates. */
function draw(at: number, oldLogProb: number): number {
  float[0] = oldLogProb;
  return philox4x32([at, bits[0], 0, 0], DRAW_KEY)[0] >>> 1;
}
