/** Runs by the command line: those that a signal ends are processes, as the first one is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeLink } from '../../src/experiment/link/link';
import { objectivePresets } from '../../src/experiment/objectives/objectivePresets';
import { codeHere } from '../../src/experiment/provenance';
import { compile } from '../../src/formula/compile';
import { importOnnx } from '../../src/onnx/importOnnx';
import { isOfFormulas, METRICS } from '../../src/rl/measure/metrics';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { expectRefusal, LAB_COMMAND, LAB_TIMEOUT, labFiles, labHere, labResult, resultHere } from '../support/lab';

const TINY = ['run', 'gridworld-tiny', '--backend', 'cpu', '--arms', 'action-mask,world-model'];

type Result = Record<string, unknown> & { wallSeconds: number };
type Trained = Result & { arms: { seeds: { seed: number; curve: unknown }[] }[] };

const result = <R extends Result = Result>(...args: string[]): Promise<R> => resultHere<R>(...args);

const { at } = labFiles();

const interval = { mean: expect.any(Number), low: expect.any(Number), high: expect.any(Number) };

/** Every key of a seed's curve, but for arms with formulas. Those of released files are held by test/releases. */
const CURVES = ['update', ...METRICS.filter((metric) => !isOfFormulas(metric))];

function armShape(id: string, name: string) {
  const series = expect.toSatisfy((values) => Array.isArray(values) && values.length === 6);
  const curve = { ...Object.fromEntries(CURVES.map((key) => [key, series])), update: [0, 1, 2, 3, 4, 5] };
  return {
    id,
    name,
    seeds: [0, 1].map((seed) => ({ seed, curve, evaluation: null, nonFinite: null })),
    // One entry a seed; in six updates no level is reached.
    summary: {
      final: interval,
      auc: interval,
      updatesTo: { '0.25': [null, null], '0.5': [null, null], '0.8': [null, null] },
    },
  };
}

describe('lab run', () => {
  test('prints one JSON object, the same twice but for times', { timeout: LAB_TIMEOUT }, () => {
    const first = labResult<Trained>(...TINY, '--updates', '6');
    const second = labResult<Trained>(...TINY, '--updates', '6', '--seeds', '1,0-1');
    expect({ ...second, wallSeconds: 0 }).toEqual({ ...first, wallSeconds: 0 });
    expect(first).toEqual({
      experiment: expect.objectContaining({ preset: 'gridworld-tiny', updates: 6, seeds: 2 }),
      backend: 'cpu',
      adapter: 'CPU (WebAssembly SIMD)',
      machines: [{ update: 0, backend: 'cpu', code: expect.objectContaining(codeHere('cpu')) }],
      wallSeconds: expect.any(Number),
      tokens: expect.any(Number),
      arms: [armShape('action-mask', 'Action mask'), armShape('world-model', 'World model')],
    });
  });

  test('trains a seed alone to what it is among all', { timeout: LAB_TIMEOUT }, async () => {
    const options = ['--updates', '6', '--set', 'seeds=3'];
    const whole = await result<Trained>(...TINY, ...options);
    const alone = await result<Trained>(...TINY, ...options, '--seeds', '2');
    expect(alone.arms.map(({ seeds }) => seeds)).toEqual(whole.arms.map(({ seeds }) => [seeds[2]]));
  });

  test('trains seeds beyond the experiment’s, resumes them and exports them', {
    timeout: 2 * LAB_TIMEOUT,
  }, async () => {
    const options = [...TINY, '--seeds', '100-103'];
    const whole = await result<Trained>(...options, '--updates', '6');
    expect(whole).toMatchObject({ experiment: { seeds: 2 } });
    for (const { seeds } of whole.arms) expect(seeds.map(({ seed }) => seed)).toEqual([100, 101, 102, 103]);
    // These seeds have the same weights and tasks as in an experiment of more seeds.
    const shifted = await result<Trained>(...TINY, '--updates', '6', '--seeds', '1,103');
    expect(shifted.arms.map(({ seeds }) => seeds[1])).toEqual(whole.arms.map(({ seeds }) => seeds[3]));
    expect(new Set(whole.arms[0]?.seeds.map(({ curve }) => JSON.stringify(curve))).size).toBe(4);

    const out = at('beyond');
    await result(...options, '--updates', '3', '--out', out);
    const resumed = await result<Trained>('run', '--resume', out, '--updates', '6');
    expect(resumed).toEqual({ ...whole, wallSeconds: resumed.wallSeconds });
    const file = at('beyond.onnx');
    expect((await labHere('export', out, '--member', 'world-model/103', '--out', file)).stderr).toBe('');
    expect(importOnnx(readFileSync(file)).member).toEqual({ arm: 'world-model', seed: 103 });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'stops at %s, and continues to the same end',
    async (signal) => {
      const out = at(signal);
      const endless = [...TINY, '--seeds', '1', '--updates', '10000'];
      const child = spawn(process.execPath, [...LAB_COMMAND, ...endless, '--out', out]);
      const ended = exitOf(child);
      await new Promise<void>((resolve) => {
        child.stderr.on('data', (data) => {
          if (String(data).includes('update ')) resolve();
        });
      });
      child.kill(signal);
      expect(await ended).toBe(130);
      const { snapshot } = decodeCheckpoint(readFileSync(join(out, 'checkpoint.safetensors')));
      const updates = ['--updates', String(snapshot.update + 2)];
      const resumed = labResult<Result>('run', '--resume', out, ...updates);
      const whole = labResult<Result>(...TINY, '--seeds', '1', ...updates);
      expect(resumed).toEqual({ ...whole, wallSeconds: resumed.wallSeconds });
    },
    2 * LAB_TIMEOUT,
  );

  test('in float64 continues from a checkpoint without rounding', { timeout: LAB_TIMEOUT }, async () => {
    const options = ['gridworld-tiny', '--backend', 'reference', '--arms', 'action-mask', '--seeds', '0'];
    const out = at('reference');
    const whole = await result('run', ...options, '--updates', '4');
    await result('run', ...options, '--updates', '2', '--out', out);
    // Without --backend it takes the one it began on.
    const resumed = await result('run', '--resume', out, '--updates', '4');
    expect(resumed).toEqual({ ...whole, wallSeconds: resumed.wallSeconds });
  });

  describe('--resume', () => {
    const saved = (directory: string): Uint8Array => readFileSync(join(directory, 'checkpoint.safetensors'));
    let out: string;
    beforeAll(async () => {
      out = at('finished');
      await result(...TINY, '--updates', '5', '--out', out);
    }, LAB_TIMEOUT);

    test.each([
      [['--updates', '4'], /has finished 5 updates already.*--updates 5 or more/],
      [['gridworld'], /“gridworld” cannot be given with --resume/],
      [['--set', 'seeds=3'], /--set cannot be given/],
      [['--seeds', '0', '--arms', 'action-mask'], /--seeds and --arms cannot be given/],
      [['--backend', 'reference'], /trained on cpu; reference would not continue it bit for bit/],
    ])('refuses %j and leaves the run alone', { timeout: LAB_TIMEOUT }, async (args, words) => {
      const before = saved(out);
      expectRefusal(await labHere('run', '--resume', out, ...args), words);
      expect(saved(out)).toEqual(before);
    });

    test.each([
      ['another arm', { arm: 'no-mask' }],
      ['another index', { armIndex: 1 }],
      ['another seed', { seed: 7 }],
    ])('refuses a checkpoint whose first member has %s', { timeout: LAB_TIMEOUT }, async (name, other) => {
      const checkpoint = decodeCheckpoint(saved(out));
      const members = checkpoint.snapshot.members.map((member, i) => (i === 0 ? { ...member, ...other } : member));
      const directory = at(name);
      mkdirSync(directory);
      const changed = encodeCheckpoint({ ...checkpoint, snapshot: { ...checkpoint.snapshot, members } });
      writeFileSync(join(directory, 'checkpoint.safetensors'), changed);
      expectRefusal(await labHere('run', '--resume', directory), /members are not those of its experiment/);
    });
  });
});

test('lab link prints a whole link that holds what was set', { timeout: LAB_TIMEOUT }, async () => {
  const { stdout, status } = await labHere('link', 'gridworld', '--set', 'arms.world-model.ce.observation=0.2');
  expect(status).toBe(0);
  expect(stdout).toBe('http://localhost:4173/#preset=gridworld&arms.world-model.ce.observation=0.2\n');
  expect(decodeLink(new URL(stdout.trim()).hash).arms[1]?.ce.observation).toBe(0.2);
  const elsewhere = await labHere('link', stdout.trim(), '--base', 'https://lab.example/unmask/#old');
  expect(elsewhere.stdout).toBe('https://lab.example/unmask/#preset=gridworld&arms.world-model.ce.observation=0.2\n');
});

test('lab list names presets, environments and objectives with their sources, and the built-in losses as texts', {
  timeout: LAB_TIMEOUT,
}, async () => {
  const listed = JSON.parse((await labHere('list', '--json')).stdout);
  expect(listed.presets).toContainEqual({ id: 'gridworld', title: expect.any(String) });
  expect(listed.environments).toContainEqual({ id: 'gridworld', title: expect.any(String) });
  expect(listed.objectives).toContainEqual({ id: 'dapo', title: 'DAPO (arXiv 2503.14476)' });
  expect(listed.objectives).toHaveLength(objectivePresets.length);
  const textOf = (of: string, id: string): string =>
    listed.formulas.find((one: { of: string; ids: string[] }) => one.of === of && one.ids.includes(id))?.text;
  expect(textOf('policy', 'rloo')).toBe('# REINFORCE\nloss = -A * logp');
  expect(textOf('prediction', 'echo')).toContain('loss = -logp');
  expect(textOf('KL', 'k2')).toContain('estimate = d ** 2 / 2');
  for (const { text } of listed.formulas) expect(() => compile(text)).not.toThrow();
});

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('exit', resolve);
  });
}
