/** Policies are exported from a run as files, and files play. Commands are called in this process, except one of each. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type EvaluationArguments, type EvaluationResult, evalCommand } from '../../src/cli/policy/evaluate';
import { type ExportArguments, exportCommand } from '../../src/cli/policy/export';
import { planRun, type RunArguments } from '../../src/cli/run/runArguments';
import type { Split } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { decodeLink } from '../../src/experiment/link/link';
import type { RandomStream } from '../../src/foundation/philox';
import { importOnnx } from '../../src/onnx/importOnnx';
import { PolicySession } from '../../src/onnx/session';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import type { RunResult } from '../../src/train/result/result';
import { decodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { sharedFolder } from '../support/folder';
import { expectRefused, LAB_TIMEOUT, labResult } from '../support/lab';
import { randomSequences, referenceForward, relativeError } from '../support/policies';

vi.setConfig({ testTimeout: LAB_TIMEOUT, hookTimeout: 3 * LAB_TIMEOUT });

const UPDATES = 6;
const at = sharedFolder();
let run: string;
let plain: string;
let cached: string;

/** JSON that a command prints; the command must succeed. */
async function printed<T>(command: Promise<() => Promise<number>>): Promise<T> {
  const action = await command;
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  try {
    expect(await action()).toBe(0);
  } finally {
    spy.mockRestore();
  }
  return JSON.parse(written.join(''));
}

const evaluate = (path: string, options: Partial<EvaluationArguments>): Promise<EvaluationResult> =>
  printed(evalCommand(path, { ...options, json: true }));

beforeAll(async () => {
  run = at('run');
  plain = at('plain.onnx');
  cached = at('cached.onnx');
  const options = ['--backend', 'cpu', '--arms', 'action-mask,world-model', '--updates', String(UPDATES)];
  const settings = ['--set', 'arms.world-model.temperature=0.8', '--set', 'policy.positions=rotary'];
  labResult('run', 'gridworld-tiny', ...options, ...settings, '--out', run);
  expect(labResult('export', run, '--member', 'world-model/1', '--out', plain, '--licence', 'CC0-1.0')).toEqual({
    file: plain,
    bytes: readFileSync(plain).length,
    sha256: createHash('sha256').update(readFileSync(plain)).digest('hex'),
    member: { arm: 'world-model', seed: 1 },
    update: UPDATES,
    parameters: importOnnx(readFileSync(plain)).parameters.length,
  });
  await printed(exportCommand(run, { member: 'world-model/1', out: cached, cache: true, json: true }));
});

test('lab export writes the member, its weights to the bit, and where it comes from', () => {
  const { snapshot } = decodeCheckpoint(readFileSync(join(run, 'checkpoint.safetensors')));
  const index = snapshot.members.findIndex(({ arm, seed }) => arm === 'world-model' && seed === 1);
  const result: RunResult = JSON.parse(readFileSync(join(run, 'result.json'), 'utf8'));
  const policy = importOnnx(readFileSync(plain));
  const count = policy.parameters.length;
  const own = snapshot.tensors.parameters.subarray(index * count, (index + 1) * count);
  expect(snapshot.tensors.parameters).toHaveLength(count * snapshot.members.length);
  expect(Buffer.from(policy.parameters.buffer).equals(Buffer.from(Float32Array.from(own).buffer))).toBe(true);
  const curve = result.arms[1]?.seeds[1]?.curve;
  const mean = (values: readonly (number | null)[] = []): number =>
    values.reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0) / values.length;
  const {
    model: _,
    adapterRank: _r,
    adapterAlpha: _a,
    adapterMaps: _m,
    adapterReference: _k,
    ...shape
  } = result.experiment.policy;
  expect(policy).toMatchObject({
    member: { arm: 'world-model', seed: 1 },
    update: UPDATES,
    temperature: 0.8,
    environment: result.experiment.environment,
    configuration: { ...shape, positions: 'rotary' },
    results: {
      successRate: expect.closeTo(mean(curve?.successRate), 9),
      observationCrossEntropy: expect.closeTo(mean(curve?.observationCrossEntropy), 9),
      heldOutSuccess: null,
    },
    licence: 'CC0-1.0',
    cached: false,
  });
  expect(decodeLink(policy.experiment)).toEqual(result.experiment);
  expect(importOnnx(readFileSync(cached))).toMatchObject({ cached: true, licence: 'Apache-2.0' });
});

test.each([false, true])(
  'onnxruntime computes with what was trained as the lab’s kernels do, cached: %s',
  async (withCache) => {
    const bytes = readFileSync(withCache ? cached : plain);
    const policy = importOnnx(bytes);
    const { context, vocabulary } = policy.configuration;
    const sequences = randomSequences(policy, [context, 5], 3);
    const { logits: own } = await referenceForward(policy, sequences, await createCpuBackend());
    const session = await PolicySession.open(bytes, policy);
    session.begin(sequences.length);
    for (const [first, end] of [
      [0, 3],
      [3, context],
    ]) {
      const additions = sequences.map((tokens) => tokens.slice(first, end));
      const fed = await session.feed(additions);
      additions.forEach((tokens, s) => {
        tokens.forEach((_, i) => {
          const at = ((first as number) + i) * vocabulary;
          expect(relativeError(fed.of(s, i), own[s]?.subarray(at, at + vocabulary) ?? [])).toBeLessThan(1e-4);
        });
      });
    }
    await session.release();
  },
);

describe('lab eval', () => {
  const options = { set: ['environment.heldOut=0.3'], episodes: '70' };

  test('plays, with a cache or without, the same episodes', async () => {
    const result = labResult<EvaluationResult>(
      ...['eval', plain, '--environment', 'gridworld', '--set', 'environment.heldOut=0.3', '--episodes', '70'],
    );
    const played = {
      episodes: 70,
      success: expect.any(Number),
      successInterval: [expect.any(Number), expect.any(Number)],
      turns: expect.any(Number),
      observationCrossEntropy: expect.any(Number),
      // Nothing in this world is random.
      observationFloor: 0,
    };
    const { results, experiment } = importOnnx(readFileSync(plain));
    expect(result).toEqual({
      policy: {
        file: plain,
        cached: false,
        member: { arm: 'world-model', seed: 1 },
        update: UPDATES,
        experiment,
        results,
        licence: 'CC0-1.0',
      },
      environment: { id: 'gridworld', settings: expect.objectContaining({ size: 4, heldOut: 0.3 }) },
      seed: 0,
      temperature: 0.8,
      runtime: expect.stringMatching(/^onnxruntime-web \d.*WebAssembly/),
      wallSeconds: expect.any(Number),
      heldOut: played,
      training: played,
    });
    // As at the end of its training, within the chance of 70 episodes.
    const { success, successInterval, observationCrossEntropy } = result.training;
    expect(successInterval[0]).toBeLessThan(success);
    expect(observationCrossEntropy).toBeCloseTo(results.observationCrossEntropy as number, 0);
    const again = await evaluate(cached, options);
    const near = (of: EvaluationResult['training'] | null) => ({
      ...of,
      observationCrossEntropy: expect.closeTo(of?.observationCrossEntropy ?? Number.NaN, 4),
    });
    expect(again).toMatchObject({ heldOut: near(result.heldOut), training: near(result.training) });
  });

  test('draws other tasks from another seed, and sets nothing aside where the environment does not', async () => {
    const on = (seed: number) => evaluate(plain, { environment: 'gridworld', set: [`seed=${seed}`], episodes: '9' });
    const [first, same, other] = [await on(0), await on(0), await on(1)];
    expect([first.heldOut, other.heldOut]).toEqual([null, null]);
    expect(same).toEqual({ ...first, wallSeconds: same.wallSeconds });
    expect(other.training.observationCrossEntropy).not.toBe(first.training.observationCrossEntropy);
  });
});

test('tasks set aside are never among those played like training', async () => {
  const drawn = { 'held-out': new Set<string>(), train: new Set<string>() };
  const create = gridworld.create;
  const spy = vi.spyOn(gridworld, 'create').mockImplementation((settings) => {
    const environment = create(settings);
    const drawTask = environment.drawTask.bind(environment);
    return Object.assign(environment, {
      drawTask: (random: RandomStream, split: Split = 'train') => {
        const task = drawTask(random, split);
        drawn[split].add(task.join());
        return task;
      },
    });
  });
  await evaluate(plain, { set: ['environment.heldOut=0.3'] });
  spy.mockRestore();
  expect(drawn['held-out'].size).toBeGreaterThan(3);
  expect(drawn.train.size).toBeGreaterThan(3);
  expect([...drawn.train].filter((task) => drawn['held-out'].has(task))).toEqual([]);
});

describe('what cannot be done is refused before anything is', () => {
  test.each<[RegExp, () => ExportArguments & { run: string }]>([
    [/Add --out/, () => ({ run })],
    [/No member was named.*action-mask\/0, action-mask\/1, world-model\/0/, () => ({ run, out: plain })],
    [/no member “world-model\/7”.*one of: action-mask\/0/, () => ({ run, out: plain, member: 'world-model/7' })],
    [
      /--licence mine, all is no licence expression/,
      () => ({ run, out: plain, member: 'world-model/0', licence: 'mine, all' }),
    ],
    [/no checkpoint/, () => ({ run: at(), out: plain, member: 'action-mask/0' })],
  ])('lab export: %s', async (words, given) => {
    const before = readFileSync(plain);
    const { run: from, ...rest } = given();
    await expect(exportCommand(from, rest)).rejects.toThrow(labError(words));
    expect(readFileSync(plain).equals(before)).toBe(true);
  });

  test.each<[RegExp, () => string, Partial<EvaluationArguments>]>([
    [/nowhere\.onnx cannot be read/, () => at('nowhere.onnx'), {}],
    [/is a folder/, () => at(), {}],
    [/result\.json: The file is not an ONNX file/, () => join(run, 'result.json'), {}],
    [/short\.onnx: The file is cut short/, () => at('short.onnx'), {}],
    [/--episodes cannot be 0/, () => plain, { episodes: '0' }],
    [/its word 2 is “up”, here “\+”/, () => plain, { environment: 'calculator' }],
    [/no environment of this name/, () => plain, { environment: 'nowhere' }],
    [/made for at most \d+ tokens, and episodes here may have \d+/, () => plain, { set: ['environment.horizon=30'] }],
    [/--set environment.size=99/, () => plain, { set: ['environment.size=99'] }],
    [/--set policy.width=32: a policy out of a file stays as it is/, () => plain, { set: ['policy.width=32'] }],
  ])('lab eval: %s', async (words, path, given) => {
    writeFileSync(at('short.onnx'), readFileSync(plain).subarray(0, 5000));
    await expect(evalCommand(path(), { ...given, json: true })).rejects.toThrow(labError(words));
  });

  test.each([
    [['export'], /No run was named.*folder/],
    [['eval', '--cache'], /eval takes no --cache/],
  ])('%j', (args, words) => expectRefused([...args], words));
});

function labError(words: RegExp): unknown {
  return expect.objectContaining({ name: 'LabError', message: expect.stringMatching(words) });
}

describe('a run whose arms name files', () => {
  const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
  const given: RunArguments = { backend: 'cpu', updates: '2', seeds: '0', workers: '1', json: true };
  const naming = (setting: string, hash: string, policy: string[] = []): RunArguments => ({
    ...given,
    policy,
    set: [`arms.world-model.${setting}=${hash}`, 'policy.positions=rotary'],
  });

  test('finds those given and those that come with the lab, and nothing else passes', async () => {
    const own = await planRun('gridworld-tiny', naming('startPolicy', sha256(plain), [plain]));
    expect(Array.from(own.policies.keys())).toEqual([sha256(plain)]);
    const trained = sha256('public/policies/gridworld-trained.onnx');
    const shipped = await planRun('gridworld-small', naming('fixedPolicy', trained));
    expect(shipped.policies.get(trained)).toMatchObject({ update: 160 });
    const missing = planRun('gridworld-tiny', naming('referencePolicy', sha256(plain)));
    await expect(missing).rejects.toThrow(/which does not come with the lab. Ask for the file, and add --policy/);
    const unused = planRun('gridworld-tiny', { ...given, policy: [plain] });
    await expect(unused).rejects.toThrow(new RegExp(`No arm names ${plain}`));
    const misfit = planRun('gridworld-small', naming('startPolicy', trained));
    await expect(misfit).rejects.toThrow(/The policy has another shape/);
  });

  test('is told where a file of the lab’s has other bytes by now', async () => {
    const bytes = readFileSync('public/policies/gridworld-trained.onnx');
    const trained = createHash('sha256').update(bytes).digest('hex');
    const damaged = at('public/policies');
    mkdirSync(damaged, { recursive: true });
    writeFileSync(join(damaged, 'gridworld-trained.onnx'), bytes.subarray(1));
    vi.stubGlobal('unmaskHome', at());
    const planned = planRun('gridworld-small', naming('fixedPolicy', trained)).finally(() => vi.unstubAllGlobals());
    await expect(planned).rejects.toThrow(/gridworld-trained\.onnx is damaged: it has the SHA-256 \w+, and came with/);
  });

  test('plays the fixed policy beside what trains', () => {
    const arms = ['--arms', 'action-mask,world-model', '--backend', 'cpu', '--workers', '1', '--seeds', '0'];
    const common = ['run', 'gridworld-tiny', ...arms, '--updates', '2', '--set', 'policy.positions=rotary'];
    const set = ['--set', `arms.world-model.fixedPolicy=${sha256(cached)}`];
    const curveOf = (result: RunResult, arm: number) => result.arms[arm]?.seeds[0]?.curve;
    const fixed = labResult<RunResult>(...common, ...set, '--policy', cached);
    expect(curveOf(fixed, 1)?.gradNorm).toEqual([null, null]);
    expect(curveOf(fixed, 1)?.observationCrossEntropy).not.toContain(null);
    expect(curveOf(fixed, 0)).toEqual(curveOf(labResult<RunResult>(...common), 0));
  });
});
