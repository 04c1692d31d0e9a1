/**
 * An arm that is a fixed policy plays the tasks of its seed's members and learns nothing. It changes no number of the
 * others, and its numbers depend neither on them nor on Workers nor on an interruption. Not in test/train, whose files
 * share a process: onnxruntime gives Node a global Worker, and the trainer would believe itself in a browser.
 */
import { describe, expect, test } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import type { EpisodeView } from '../../src/train/looks/shown';
import { readPolicies } from '../../src/train/policies/files';
import { memberPolicy } from '../../src/train/policies/member';
import type { Snapshot, Training } from '../../src/train/population/training';
import { assemble } from '../../src/train/run/assemble';
import { chooseBackend } from '../../src/train/run/choose/backends';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { startHere } from '../support/poolHere';
import { cpuTrainer, metricsOf } from '../support/trained';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const [learner, second] = preset.arms as [Arm, Arm];
const experiment: Experiment = {
  ...preset,
  arms: [learner, second],
  seeds: 2,
  updates: 6,
  batch: { groups: 2, groupSize: 4 },
};

/** File of a policy of the tiny world after two updates, with any width. */
async function trainedFile(width: number): Promise<{ file: Blob; sha256: string }> {
  const what = { ...experiment, policy: { ...experiment.policy, width } };
  const training = await cpuTrainer(what);
  await metricsOf(training, 2);
  const snapshot = await training.snapshot();
  training.dispose();
  const policy = memberPolicy({ snapshot, experiment: what, machines: [] }, 1, {}, 'NOASSERTION');
  const file = new Blob([exportOnnx(policy, { cached: false })]);
  const [sha256 = ''] = (await readPolicies([file], what)).keys();
  return { file, sha256 };
}

const { file, sha256 } = await trainedFile(experiment.policy.width);

const fixedArm: Arm = { ...learner, id: 'baseline', name: 'Baseline', fixedPolicy: sha256 };
/** Experiment with the fixed policy between two arms that train. */
const mixed: Experiment = {
  ...experiment,
  arms: [learner, fixedArm, second],
  evaluation: { ...experiment.evaluation, every: 2, tasks: 2 },
};
const withoutIt: Experiment = { ...mixed, arms: [learner, second] };

async function open(what: Experiment, workers = 1, files: readonly Blob[] = [file]): Promise<Training> {
  const chosen = await chooseBackend('cpu', undefined, { workers, start: startHere });
  const policies = await readPolicies(files, what);
  const { training } = await assemble(chosen, what, { halvings: 0, policies });
  await training.prepare();
  return training;
}

interface Run {
  readonly metrics: readonly (readonly number[])[];
  readonly episodes: readonly EpisodeView[];
  readonly snapshot: Snapshot;
}

/** Runs a training. `metrics` of the arms asked for: [updates][arm · seeds · metrics]. */
async function run(training: Training, updates: number, arms: readonly string[]): Promise<Run> {
  const metrics: number[][] = [];
  const episodes: EpisodeView[] = [];
  for (let i = 0; i < updates; i++) {
    const result = await training.runUpdate({ seed: 1, group: 1 });
    const values = await result.metrics;
    metrics.push(
      training.members.flatMap(({ arm }, member) =>
        arms.includes(arm) ? Array.from(values.subarray(member * METRICS.length, (member + 1) * METRICS.length)) : [],
      ),
    );
    episodes.push(...((await result.episodes) ?? []).filter(({ arm }) => arms.includes(arm)));
  }
  return { metrics, episodes, snapshot: await training.snapshot() };
}

describe('a fixed policy among arms that train', () => {
  test('changes no number of theirs, and has its own whatever trains beside it, on any number of Workers', async () => {
    const trained = [learner.id, second.id];
    const alone = await run(await open(withoutIt, 1, []), 2, trained);
    const one = await open(mixed);
    const beside = await run(one, 2, trained);
    expect(beside.metrics).toEqual(alone.metrics);
    expect(beside.episodes).toEqual(alone.episodes);
    expect(beside.snapshot.tensors).toEqual(alone.snapshot.tensors);
    const own = (training: Training) => run(training, 2, [fixedArm.id]);
    const expected = await own(await open({ ...mixed, arms: [fixedArm] }));
    for (const found of [await own(await open(mixed)), await own(await open(mixed, 2))]) {
      expect(found.metrics).toEqual(expected.metrics);
      expect(found.episodes).toEqual(expected.episodes);
    }
  });

  test('plays the very episodes of an arm that begins from the file and does not learn, with the same measurements', async () => {
    const twin = { ...learner, id: 'twin', startPolicy: sha256, learningRate: 0 };
    const training = await open({ ...mixed, arms: [twin, fixedArm] });
    const { metrics, episodes } = await run(training, 1, ['twin', 'baseline']);
    const [theTwin, fixed] = episodes as [EpisodeView, EpisodeView];
    expect([theTwin.arm, fixed.arm]).toEqual(['twin', 'baseline']);
    expect(fixed.tokens).toEqual(theTwin.tokens);
    expect(fixed.task).toEqual(theTwin.task);
    fixed.logProb.forEach((value, t) => {
      if (Number.isNaN(theTwin.logProb[t] as number)) expect(value).toBeNaN();
      else expect(value).toBeCloseTo(theTwin.logProb[t] as number, 4);
    });
    const value = (arm: number, seed: number, metric: MetricName): number =>
      metrics[0]?.[(arm * 2 + seed) * METRICS.length + METRIC[metric]] as number;
    const shared = ['successRate', 'return', 'observationCrossEntropy', 'entropy', 'turns', 'heldOutSuccess'] as const;
    for (const metric of [...shared, 'heldOutGreedySuccess', 'heldOutCrossEntropy', 'trajectoryTokens'] as const) {
      for (const seed of [0, 1]) expect(value(1, seed, metric), metric).toBeCloseTo(value(0, seed, metric), 4);
    }
    for (const metric of ['gradNorm', 'clipFraction', 'kl', 'mismatch', 'keptGroups'] as const) {
      expect(value(1, 0, metric), metric).toBeNaN();
    }
  });

  test('goes on from a checkpoint to the same numbers, as do those that train; also where nothing trains', async () => {
    const remembers = { ...fixedArm, taskChoice: 'failed-again' as const };
    for (const arms of [[learner, remembers], [remembers]]) {
      const what: Experiment = { ...mixed, arms, seeds: 1 };
      const all = arms.map(({ id }) => id);
      const through = await open(what);
      const { snapshot } = await run(through, 2, all);
      const expected = await run(through, 2, all);
      const curves = new Float32Array(2 * arms.length * METRICS.length);
      const kept = { snapshot, experiment: what, backend: 'cpu' as const, machines: [], curves, tokens: 0 };
      const resumed = await open(what);
      await resumed.restore(decodeCheckpoint(encodeCheckpoint(kept)).snapshot);
      const found = await run(resumed, 2, all);
      expect(found.metrics).toEqual(expected.metrics);
      expect(found.snapshot).toEqual(expected.snapshot);
      expect(snapshot.tasks.at(-1)?.length).toBeGreaterThan(0);
    }
  });

  test('may have another shape, is looked at token by token, and has no policy to export', async () => {
    const wide = await trainedFile(experiment.policy.width + 16);
    const what: Experiment = { ...mixed, arms: [learner, { ...fixedArm, fixedPolicy: wide.sha256 }] };
    const training = await open(what, 1, [wide.file]);
    const choice = { seed: 1, group: 1, trajectory: 2 };
    expect(await training.inspect(choice)).toBeNull();
    const { snapshot } = await run(training, 1, []);
    const [, inspected] = (await training.inspect(choice)) ?? [];
    expect(inspected?.arm.id).toBe('baseline');
    const { numbers, roles } = inspected as NonNullable<typeof inspected>;
    roles.forEach((role, t) => {
      expect(Number.isNaN(numbers.oldLogProb[t] as number)).toBe(role === ROLE.prompt);
      expect(Number.isNaN(numbers.entropy[t] as number)).toBe(role === ROLE.prompt);
    });
    expect(numbers.oldLogProb.every((value) => !(value > 0))).toBe(true);
    for (const name of ['logProb', 'advantage', 'policyLoss'] as const) {
      expect(numbers[name].every(Number.isNaN), name).toBe(true);
    }
    const source = { snapshot, experiment: what, machines: [] };
    const ofBaseline = snapshot.members.findIndex(({ arm }) => arm === 'baseline');
    expect(() => memberPolicy(source, ofBaseline, {}, '')).toThrow(/Baseline is a fixed policy/);
    expect(memberPolicy(source, 1, {}, '').parameters).toEqual(
      Float32Array.from(snapshot.tensors.parameters.subarray(snapshot.tensors.parameters.length / 2)),
    );
    await expect(
      readPolicies([wide.file], { ...what, arms: [{ ...learner, startPolicy: wide.sha256 }] }),
    ).rejects.toThrow(/its width is 32, and here 16/);
  });

  test('that was not given, or speaks of another world, is refused', async () => {
    await expect(open(mixed, 1, [])).rejects.toMatchObject({ code: 'missing-policy' });
    const calculator = (findPreset('calculator-without-tool') as { experiment: Experiment }).experiment;
    await expect(open({ ...calculator, arms: [fixedArm] })).rejects.toThrow(/trained in another world/);
    const longer = {
      ...mixed,
      environment: { ...mixed.environment, settings: { ...mixed.environment.settings, horizon: 48 } },
    };
    await expect(open(longer)).rejects.toThrow(/made for at most \d+ tokens, and episodes here may have \d+/);
  });
});
