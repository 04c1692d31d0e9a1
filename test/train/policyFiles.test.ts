/** Policies from files become the weights of the arms that name them, bit for bit, and of no other arm. */
import { describe, expect, test } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { importOnnx } from '../../src/onnx/importOnnx';
import { membersOf } from '../../src/rl/population';
import { inspectPolicy, readPolicies } from '../../src/train/policies/files';
import { memberPolicy } from '../../src/train/policies/member';
import { TrainerPool } from '../../src/train/pool/pool';
import type { StartPoolWorker } from '../../src/train/pool/port';
import type { Trainer } from '../../src/train/population/trainer';
import { type FileWeights, weightsOf } from '../../src/train/population/training';
import { startHere } from '../support/poolHere';
import { finishedPage, SessionPage } from '../support/sessionPage';
import { cpuTrainer, metricsOf } from '../support/trained';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const experiment: Experiment = { ...preset, arms: preset.arms.slice(0, 2), seeds: 2, updates: 6 };

async function trainer(what: Experiment, weights?: FileWeights): Promise<Trainer> {
  const made = await cpuTrainer(what, weights && { weights });
  return made;
}

/** File of a policy after two updates. */
async function trainedFile(what = experiment): Promise<Blob> {
  const training = await trainer(what);
  await metricsOf(training, 2);
  const snapshot = await training.snapshot();
  training.dispose();
  const policy = memberPolicy({ snapshot, experiment: what, machines: [] }, 1, {}, 'NOASSERTION');
  return new Blob([exportOnnx(policy, { cached: false })]);
}

const file = await trainedFile();
const { sha256 } = await inspectPolicy(file, experiment);
const parametersOfFile = importOnnx(new Uint8Array(await file.arrayBuffer())).parameters;

const fixedArm = defaultArm('still', 'Still');

const naming = (named: Partial<Arm>): Experiment => ({
  ...experiment,
  arms: experiment.arms.map((arm, index) => (index === 1 ? { ...arm, ...named } : arm)),
});

async function rowsOf(training: Trainer | TrainerPool, name: 'parameters' | 'reference'): Promise<Float32Array[]> {
  const { tensors, members } = await training.snapshot();
  const size = tensors[name].length / members.length;
  return members.map((_, p) => Float32Array.from(tensors[name].subarray(p * size, (p + 1) * size)));
}

describe('weights out of a file', () => {
  test('are what every seed of the arm begins with and is measured against; the other arm draws its own', async () => {
    const plain = await rowsOf(await trainer(experiment), 'parameters');
    const what = naming({ startPolicy: sha256 });
    const weights = weightsOf(await readPolicies([file], what));
    const pool = new TrainerPool(what, { workers: 2, start: startHere, weights });
    await pool.prepare();
    for (const training of [await trainer(what, weights), pool]) {
      const expected = [plain[0], plain[1], parametersOfFile, parametersOfFile];
      expect(await rowsOf(training, 'parameters')).toEqual(expected);
      expect(await rowsOf(training, 'reference')).toEqual(expected);
      training.dispose();
    }
  });

  test('go to the Workers that train from them, and a fixed policy’s to none', async () => {
    const other = new Float32Array(3);
    const weights: FileWeights = new Map([
      [sha256, parametersOfFile],
      ['ab'.repeat(32), other],
    ]);
    const sent: [arms: string[], hashes: string[]][] = [];
    const listening: StartPoolWorker = (listener) => {
      const port = startHere(listener);
      return {
        ...port,
        send(command, transfer) {
          if (command.type === 'create')
            sent.push([command.members.map(({ arm }) => arm), [...command.weights.keys()]]);
          port.send(command, transfer);
        },
      };
    };
    const what = naming({ startPolicy: sha256 });
    const three = { ...what, arms: [...what.arms, { ...fixedArm, fixedPolicy: 'ab'.repeat(32) }] };
    const members = membersOf(three.arms.slice(0, 2), [0, 1]);
    const pool = new TrainerPool(three, { workers: 4, start: listening, weights, members });
    await pool.prepare();
    pool.dispose();
    expect(sent).toEqual([
      ...[0, 1].map(() => [[three.arms[0]?.id], []]),
      ...[0, 1].map(() => [[three.arms[1]?.id], [sha256]]),
    ]);
  });

  test('are what the KL is measured against, also after a warm start, and leave the start alone', async () => {
    const plain = await rowsOf(await trainer(experiment), 'parameters');
    const named = naming({ referencePolicy: sha256 });
    const weights = weightsOf(await readPolicies([file], named));
    const cold = await trainer(named, weights);
    expect(await rowsOf(cold, 'parameters')).toEqual(plain);
    expect(await rowsOf(cold, 'reference')).toEqual([plain[0], plain[1], parametersOfFile, parametersOfFile]);
    const arms = named.arms.map((arm) => ({ ...arm, warmStart: 'actions' as const }));
    const warm = await trainer({ ...named, arms, warmStart: { ...named.warmStart, updates: 1 } }, weights);
    const [reference, parameters] = [await rowsOf(warm, 'reference'), await rowsOf(warm, 'parameters')];
    expect(reference[0]).toEqual(parameters[0]);
    expect(parameters[2]).not.toEqual(plain[2]);
    expect(reference[2]).toEqual(parametersOfFile);
  });

  test('that were not given, or are of another shape or world, are refused by name', async () => {
    await expect(trainer(naming({ startPolicy: sha256 }))).rejects.toMatchObject({ code: 'missing-policy' });
    const wider = naming({ startPolicy: sha256 });
    const misfit = readPolicies([file], { ...wider, policy: { ...wider.policy, width: 32 } });
    await expect(misfit).rejects.toThrow(/its width is 16, and here 32/);
    const calculator = (findPreset('calculator-without-tool') as { experiment: Experiment }).experiment;
    expect((await inspectPolicy(file, calculator)).misfit).toMatch(
      /trained in another world, with other words: its word 2 is “up”/,
    );
    expect((await inspectPolicy(file, wider)).misfit).toBeNull();
  });
});

test('a policy saved in the middle of an update is the one after it, and the run takes no notice', async () => {
  const short: Experiment = { ...experiment, seeds: 1, updates: 3, batch: { groups: 1, groupSize: 2 } };
  const undisturbed = await finishedPage('reference', short);
  const saved: Promise<{ bytes: Uint8Array; update: number }>[] = [];
  const page = new SessionPage('reference', short, ({ type }, { session }) => {
    // The first metrics arrive while a later update is running.
    const request = { arm: 'world-model', seed: 0, cached: false, licence: 'CC-BY-4.0' };
    if (type === 'metrics' && saved.length === 0) saved.push(session.exportPolicy(request));
  });
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'finished');
  expect(page.curves).toEqual(undisturbed.curves);
  const [{ bytes, update } = { bytes: new Uint8Array(), update: 0 }] = await Promise.all(saved);
  expect(update).toBeGreaterThan(0);
  const again = new SessionPage('reference', { ...short, updates: update });
  await again.session.prepare(true);
  await again.until(({ phase }) => phase === 'finished');
  const expected = await again.session.exportPolicy({ arm: 'world-model', seed: 0, cached: false, licence: 'MIT' });
  expect([importOnnx(bytes).licence, importOnnx(expected.bytes).licence]).toEqual(['CC-BY-4.0', 'MIT']);
  expect(importOnnx(bytes).parameters).toEqual(importOnnx(expected.bytes).parameters);
  expect(importOnnx(bytes).results).toEqual(importOnnx(expected.bytes).results);
});
