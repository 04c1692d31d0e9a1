// The benchmark at its smallest sizes on the CPU backend: its reports are consistent. Speeds are not tested.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { benchTable } from '../../src/cli/machine/benchTable';
import { callsOf, replay } from '../../src/train/bench/apart';
import { benchmark } from '../../src/train/bench/benchmark';
import { costOf } from '../../src/train/bench/costs';
import type { BenchmarkReport, Subject } from '../../src/train/bench/report';
import { chooseBackend } from '../../src/train/run/choose/backends';

const alone = {
  workers: 1,
  start: () => {
    throw new Error('One thread needs no other.');
  },
};

async function report<S extends Subject>(subject: S): Promise<Extract<BenchmarkReport, { subject: S }>> {
  const made = await benchmark(subject, {
    choose: () => chooseBackend('cpu', undefined, alone),
    gpu: undefined,
    quick: true,
  });
  expect(made.subject).toBe(subject);
  expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  expect(benchTable(made, 'this machine', { before: 0, after: 0 })).not.toMatch(/NaN|undefined|Infinity/);
  return made as Extract<BenchmarkReport, { subject: S }>;
}

describe('the benchmark', () => {
  test('kernels: every operation of a step, as shares of the ceilings', async () => {
    const { rows, ceilings, step, backend } = await report('kernels');
    expect(backend).toBe('cpu');
    expect(ceilings.compute.perSecond).toBeGreaterThan(0);
    expect(ceilings.memory.perSecond).toBeGreaterThan(0);
    expect(new Set(rows.map(({ operation }) => operation))).toEqual(
      new Set([
        ...['advantages', 'policyWeights', 'worldModelWeights', 'fill'],
        ...['embed', 'layerNorm', 'linear', 'attention', 'maskedLogProb', 'ratioSegments', 'policyObjective'],
        ...['regularise', 'crossEntropyObjective', 'sumColumns', 'maskedLogProbBackward', 'linearBackwardInput'],
        ...['linearBackwardWeight', 'layerNormBackward', 'attentionBackward', 'embedBackward', 'reduceChunks'],
        ...['gradientNorm', 'adamW'],
      ]),
    );
    for (const { operation, calls, seconds, flops, bytes, share } of rows) {
      expect(calls, operation).toBeGreaterThan(0);
      expect(seconds, operation).toBeGreaterThan(0);
      expect(bytes, operation).toBeGreaterThan(0);
      expect(share, operation).toBeGreaterThan(0);
      expect(Number.isFinite(share), operation).toBe(true);
      expect(flops > 0, operation).toBe(/^(linear|attention)/.test(operation));
    }
    // The flops of all rows add up to those of the step.
    const flops = rows.reduce((sum, row) => sum + row.calls * row.flops, 0);
    expect(flops / step.flops).toBeCloseTo(1, 2);
    expect(step.share).toBeGreaterThan(0);
    expect(Number.isFinite(step.share)).toBe(true);
  });

  test.each(['train', 'rollout'] as const)('%s: tokens per second, and parts that add up', async (subject) => {
    const { seconds, tokens, tokensPerSecond, parts, timing, members, counts } = await report(subject);
    expect(members).toBe(3);
    expect(timing).toBe('host clock');
    expect(tokensPerSecond).toBeCloseTo(tokens / seconds, 3);
    expect(parts.map(({ part }) => part)).toEqual([
      ...['decode', 'readback', 'environment'],
      ...(subject === 'train' ? ['pack and upload', 'forward', 'log-prob and objective', 'backward', 'optimiser'] : []),
      ...(subject === 'train' ? ['rest'] : []),
    ]);
    for (const { part, share } of parts) {
      expect(share, part).toBeGreaterThanOrEqual(0);
      expect(share, part).toBeLessThanOrEqual(1);
    }
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
    // A turn is a submission with its readback.
    expect(counts.submissions).toBeGreaterThanOrEqual(counts.readbacks);
    expect(counts['bytes read back']).toBeGreaterThan(0);
    if (subject === 'train') {
      // By the host's clock the parts, the rest among them, are the one update measured.
      const sum = parts.reduce((total, part) => total + part.seconds, 0);
      expect(sum).toBeLessThanOrEqual(seconds * 1.01);
      expect(sum).toBeGreaterThan(seconds * 0.999);
      for (const { part, seconds: time } of parts) if (part !== 'rest') expect(time, part).toBeGreaterThan(0);
    }
  });

  test('population: relative to one member', async () => {
    const { rows } = await report('population');
    expect(rows.map(({ members }) => members)).toEqual([1, 2]);
    expect(rows[0]?.relative).toBe(1);
    for (const { seconds, tokensPerSecond } of rows) expect(seconds * tokensPerSecond).toBeGreaterThan(0);
  });

  test('latency: rows of every cut and lateness, whose numbers are the same', async () => {
    const { rows } = await report('latency');
    expect(rows.map(({ cohorts, latency }) => [cohorts, latency])).toEqual(
      [1, 2, 4].flatMap((cohorts) => [0, 0.002].map((latency) => [cohorts, latency])),
    );
    for (const { seconds, bound, latency } of rows) {
      expect(seconds).toBeGreaterThan(0);
      expect(bound).toBeGreaterThanOrEqual(latency);
    }
    // One cohort hides nothing: it waits in every turn, and has more than one.
    expect(rows[1]?.bound).toBeGreaterThan(2 * 0.002);
  });

  test('environments: every one of them, steps and resets', async () => {
    const { rows } = await report('environments');
    expect(rows.map(({ environment }) => environment)).toContain('gridworld');
    for (const row of rows) {
      expect(row.stepsPerSecond).toBeGreaterThan(0);
      expect(row.resetsPerSecond).toBeGreaterThan(0);
    }
  });

  test('the command line prints one JSON object, and names what it does not know', () => {
    const lab = (...args: string[]) =>
      spawnSync(process.execPath, ['scripts/run.mjs', 'src/cli/main.ts', 'bench', ...args], { encoding: 'utf8' });
    const { stdout, status } = lab('environments', '--quick', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ subject: 'environments', machine: expect.any(String), load: {} });
    const unknown = lab('speed');
    expect(unknown).toMatchObject({ stdout: '', stderr: expect.stringContaining('kernels') });
    expect(unknown.status).not.toBe(0);
  });
});

describe('costs', () => {
  test('a matrix product: 2 flops a multiply-add, each matrix moved once', () => {
    const tensor = (stride: number) => ({ label: 'x', type: 'f32' as const, members: 1, stride });
    const table = { label: 'rows', type: 'u32' as const, members: 1, stride: 40 };
    const rows = { table, count: tensor(1), capacity: 10 } as unknown as Parameters<typeof replay>[0];
    const weight = { tensor: tensor(1000), offset: 0, shape: [8, 4] };
    const costWith = (...options: unknown[]) => {
      const args = [tensor(40), tensor(80), rows, weight, null, ...options];
      return callsOf(replay([{ name: 'linear', args }])).map((call) => costOf(call, 1, 10));
    };
    expect(costWith()).toEqual([{ flops: 640, bytes: 4 * (40 + 80 + 40 + 32), shape: '8×4' }]);
    expect(costWith({ residual: tensor(40) })).toMatchObject([{ flops: 640, bytes: 4 * (40 + 80 + 40 + 32 + 40) }]);
  });
});
