/** ECHO's settings that echo.json does not have. */
import { describe, expect, test } from 'vitest';
import { inputOf } from '../../src/check/arrays';
import { checkEcho } from '../../src/check/echo/echo';
import { echoPlanOf } from '../../src/check/echo/plan';
import { messageTokenWeights } from '../../src/check/echo/tokenSelection';
import type { Fixture } from '../../src/check/format';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { casesOf } from './cases';

const fixtures = casesOf('echo');

describe('The choice of tokens from messages', () => {
  const message = { role: 'tool', tokens: 3, sampled: false, isContent: [] };
  const answer = { ...message, role: 'assistant', sampled: true };

  test('begins after the first answer, and takes no answer', () => {
    expect(messageTokenWeights([message, answer, message], { tool: 0.1, assistant: 1 })).toEqual([
      0, 0, 0, 0, 0, 0, 0.1, 0.1, 0.1,
    ]);
    expect(messageTokenWeights([message, message], { tool: 0.1 })).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('takes the body only where it is marked for every token', () => {
    const partly = { ...message, isContent: [false, true] };
    const marked = { ...message, isContent: [false, true, false] };
    expect(messageTokenWeights([answer, marked, partly], { tool: 0.5 })).toEqual([0, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0.5]);
  });

  test('knows only the roles it was given', () => {
    expect(messageTokenWeights([answer, { ...message, role: 'toString' }], {})).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

/** Settings that the files do not have: the formulas computed again from the cases' inputs. */
describe('Settings beyond the files', () => {
  const named = (name: string, params: Record<string, unknown>): Fixture => {
    const found = fixtures.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no case ${name}.`);
    return { ...found, params: { ...found.params, ...params } };
  };
  const T = 12;
  interface Sums {
    readonly loss: readonly number[];
    readonly mask: readonly number[];
  }
  const rowsOf = ({ loss, mask }: Sums): { sum: number; count: number }[] =>
    Array.from({ length: loss.length / T }, (_, b) => {
      const own = mask.slice(b * T, (b + 1) * T);
      return {
        sum: own.reduce((total, is, t) => total + is * (loss[b * T + t] as number), 0),
        count: own.reduce((a, c) => a + c, 0),
      };
    });
  const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

  function tokens(fixture: Fixture): { policy: Sums; nll: (weights: readonly [number, number]) => Sums } {
    const [logProb, old, advantage, action, environment, warning] = [
      'log_prob',
      'old_log_prob',
      'advantages',
      'action_mask',
      'env_mask',
      'warning_mask',
    ].map((name) => Array.from(inputOf(fixture, name))) as [number[], number[], number[], number[], number[], number[]];
    const { eps_clip: low = 0.2, eps_clip_high: high = 0.2 } = fixture.params as Record<string, number>;
    const loss = logProb.map((value, i) => {
      const ratio = Math.exp(value - (old[i] as number));
      const A = advantage[i] as number;
      return Math.max(-A * ratio, -A * Math.min(Math.max(ratio, 1 - low), 1 + high));
    });
    return {
      policy: { loss, mask: action },
      nll: ([env, warn]) => ({
        loss: logProb.map((value) => -value),
        mask: environment.map((is, i) => env * is + warn * (warning[i] as number)),
      }),
    };
  }

  const aggregations: Readonly<Record<string, (rows: { sum: number; count: number }[]) => number>> = {
    'token-mean': (rows) => total(rows.map(({ sum }) => sum)) / total(rows.map(({ count }) => count)),
    'token-sum': (rows) => total(rows.map(({ sum }) => sum)),
    'seq-mean-token-mean': (rows) => total(rows.map(({ sum, count }) => sum / (count + 1e-8))) / rows.length,
    'seq-mean-token-sum': (rows) => total(rows.map(({ sum }) => sum)) / rows.length,
    'seq-mean-token-sum-norm': (rows) => total(rows.map(({ sum }) => sum)) / rows.length / T,
  };

  async function lossOf(fixture: Fixture, output = 'loss'): Promise<number> {
    const compared = await checkEcho(new ReferenceBackend({ poison: true }), fixture);
    return compared.find((one) => one.output === output)?.got[0] as number;
  }

  test.each(Object.keys(aggregations))('rLLM on verl with %s', async (mode) => {
    const fixture = named('rllm_verl_local_mixed_token-mean', { loss_agg_mode: mode, lam: 0.3 });
    const { policy, nll } = tokens(fixture);
    const aggregate = aggregations[mode] as (rows: { sum: number; count: number }[]) => number;
    // All four trajectories of this case have actions and observations.
    expect(await lossOf(fixture)).toBeCloseTo(aggregate(rowsOf(policy)) + 0.3 * aggregate(rowsOf(nll([1, 1]))), 6);
  });

  test('rLLM on verl with counts of the whole batch, and two processes', async () => {
    const counts = { dp_size: 2, batch_num_tokens: 50, global_batch_size: 9, loss_scale_factor: 20 };
    const norm = { loss_agg_mode: 'seq-mean-token-sum-norm', global_batch_info: counts };
    const fixture = named('rllm_verl_local_mixed_token-mean', norm);
    const { policy, nll } = tokens(fixture);
    const sum = (sums: Sums): number => total(rowsOf(sums).map((row) => row.sum));
    expect(await lossOf(fixture)).toBeCloseTo((2 * (sum(policy) + 0.05 * sum(nll([1, 1])))) / 9 / 20, 6);
    const mean = named('rllm_verl_local_mixed_token-mean', { loss_agg_mode: 'token-mean', global_batch_info: counts });
    expect(await lossOf(mean)).toBeCloseTo((2 * (sum(policy) + 0.05 * sum(nll([1, 1])))) / 50, 6);
  });

  test.each([
    ['warning_only', [0, 1]],
    ['full_observation', [1, 1]],
  ] as const)('the authors’ target %s', async (target, weights) => {
    const name = 'echo_authors_mixed_sequence_mean_full_observation_tokens_env_only';
    const fixture = named(name, { world_loss_target: target });
    const [selected, all] = [rowsOf(tokens(fixture).nll(weights)), rowsOf(tokens(fixture).nll([1, 1]))];
    const expected = total(selected.map(({ sum }, b) => sum / ((all[b]?.count as number) + 1e-3))) / all.length;
    expect(await lossOf(fixture, 'aux_loss')).toBeCloseTo(0.05 * expected, 6);
  });

  test.each([
    [{}, 0.05],
    [{ schedule: 'linear_decay', lam_end: 0.01, step: 200, total_steps: 100 }, 0.01],
    [{ schedule: 'linear_decay', lam_end: 0, step: 25, total_steps: 100 }, 0.0375],
    [{ schedule: 'step_decay', lam_end: 0.01, step: 4, transition_step: 5 }, 0.05],
    [{ schedule: 'step_decay', lam_end: 0.01, step: 5, transition_step: 5 }, 0.01],
    [{ schedule: 'step_decay', step: 7, steps: [0, 5, 9], values: [0.3, 0.2, 0.1] }, 0.2],
  ])('the schedule %j', (params, expected) => {
    const fixture = named('echo_authors_mixed_sequence_mean_full_observation_tokens_env_only', params);
    expect(echoPlanOf(fixture).coefficient).toBeCloseTo(expected, 12);
  });

  test.each([
    [{ peer: 'nobody' }, /“nobody”, which is not known/],
    [{ loss_reduction: 'median' }, /loss_reduction “median”/],
    [{ world_loss_target: 'prompt' }, /world_loss_target “prompt”/],
    [{ schedule: 'cosine' }, /schedule “cosine”/],
    [{ lam: 'much' }, /no number “lam”/],
  ])('%j is refused', (params, words) => {
    const name = 'echo_authors_mixed_sequence_mean_full_observation_tokens_env_only';
    expect(() => echoPlanOf(named(name, params))).toThrow(words);
  });
});
