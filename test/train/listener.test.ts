/** Policies that begin from a language model: as the model, the same in every company, and learning from what is said in English. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pass } from '../../src/check/llama/pass';
import { modelFolder } from '../../src/cli/model/disk';
import { ORDINARY } from '../../src/environments/listener/ordinary';
import { textOf } from '../../src/environments/listener/pieces';
import type { Experiment } from '../../src/experiment/experiment';
import { findModel } from '../../src/experiment/models';
import { findPreset } from '../../src/experiment/presets/presets';
import type { LlamaBlocks } from '../../src/foundation/llamaBlocks';
import { ROLE } from '../../src/foundation/roles';
import { sha256Of } from '../../src/foundation/sha256';
import { readModel } from '../../src/llama/model';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { inOne, type StoredWeights, storedBytes } from '../../src/policy/frozen';
import { layoutFrozen } from '../../src/policy/parameters';
import type { MetricName } from '../../src/rl/measure/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { inspectPolicy, readPolicies } from '../../src/train/policies/files';
import { createEnvironment, policyShape } from '../../src/train/population/shape';
import { weightsOf } from '../../src/train/population/training';
import { cpuTrainer, curveOf, metricsOf } from '../support/trained';

const { experiment: listener } = findPreset('listener') as { experiment: Experiment };
const experiment: Experiment = {
  ...listener,
  batch: { groups: 2, groupSize: 4 },
  evaluation: { ...listener.evaluation, every: 0 },
  diagnosticsEvery: 0,
};
const { sha256, file } = findModel('stories260k') as { sha256: string; file: string };
const bytes = new Uint8Array(readFileSync(`public/${file}`));
const stories = weightsOf(await readPolicies([new Blob([bytes])], experiment));

const trainerOf = (arms: readonly string[], policy: Partial<Experiment['policy']> = {}) =>
  cpuTrainer(
    {
      ...experiment,
      policy: { ...experiment.policy, ...policy },
      arms: listener.arms.filter(({ id }) => arms.includes(id)),
    },
    { weights: stories },
  );

/** All weights of the model, [N]. */
const storiesOf = (configuration: PolicyConfiguration) => inOne(configuration, stories.get(sha256) as StoredWeights);

test('begin with the weights of the model, and are refused without its file', async () => {
  expect(stories.get(sha256)).toEqual((await readModel(modelFolder('public/models/stories260k'))).frozen);
  expect(storedBytes(stories.get(sha256) as StoredWeights)).toBe(findModel('stories260k')?.bytes);
  const whole = storiesOf(policyShape(experiment, createEnvironment(experiment)).configuration);
  const trainer = await trainerOf(['action-mask', 'world-model']);
  const { tensors } = await trainer.snapshot();
  const size = tensors.parameters.length / 2;
  for (const member of [0, 1]) {
    const own = tensors.parameters.slice(member * size, (member + 1) * size);
    expect(own).toEqual(whole);
    expect(tensors.reference.slice(member * size, (member + 1) * size)).toEqual(own);
  }
  trainer.dispose();
  await expect(cpuTrainer(experiment)).rejects.toThrow(/begins from .* which is not here/);
});

test('begin from a file that one of them left as, and not where that has no place', async () => {
  const environment = experiment.environment;
  const { configuration, vocabulary } = policyShape(experiment, createEnvironment(experiment));
  const parameters = storiesOf(configuration).map((value) => value * 1.01);
  const about = { environment, experiment: 'preset=listener', member: { arm: 'no-mask', seed: 0 }, update: 3 };
  const policy = { ...about, parameters, configuration, temperature: 1, results: {}, licence: 'MIT' };
  const made = exportOnnx({ ...policy, vocabulary: vocabulary.words }, { cached: false });
  const startPolicy = await sha256Of(made);
  const arms = listener.arms.map((arm) => ({ ...arm, startPolicy }));
  const files = [new Blob([bytes]), new Blob([made])];
  const weights = weightsOf(await readPolicies(files, { ...experiment, arms }));
  const trainer = await cpuTrainer({ ...experiment, arms: arms.slice(0, 1) }, { weights });
  expect((await trainer.snapshot()).tensors.parameters).toEqual(parameters);
  trainer.dispose();
  const adapting = { ...experiment, arms, policy: { ...experiment.policy, adapterRank: 4 } };
  await expect(readPolicies(files, adapting)).rejects.toThrow(/Here adapters are trained/);
  const other = { ...configuration, llama: { ...(configuration.llama as LlamaBlocks), theta: 500 } };
  const turned = exportOnnx({ ...policy, configuration: other, vocabulary: vocabulary.words }, { cached: false });
  expect((await inspectPolicy(new Blob([turned]), experiment)).misfit).toMatch(/its theta is 500, and here 10000/);
  const { llama: _, ...plain } = { ...configuration, layers: 1 };
  const weightsOfPlain = new Float32Array(layoutFrozen(plain).size).fill(0.1);
  const gpt = { ...policy, configuration: plain, parameters: weightsOfPlain, vocabulary: vocabulary.words };
  const fromNoise = new Blob([exportOnnx(gpt, { cached: false })]);
  expect((await inspectPolicy(fromNoise, experiment)).misfit).toMatch(/its family is GPT-2, and here Llama/);
});

test('know ordinary stories as well as the model does, and are examined on what was held out and by another listener', async () => {
  const model = await readModel(modelFolder('public/models/stories260k'));
  const weights = ORDINARY.flatMap((story) => story.slice(1).map(() => 1));
  const { logProbs } = await pass(await createCpuBackend(), model, ORDINARY, weights);
  const expected = -logProbs.reduce((sum, value) => sum + value, 0) / logProbs.length;
  const examined = { ...experiment, evaluation: { every: 1, tasks: 32, toolEvery: 0 } };
  const arms = listener.arms.filter(({ id }) => id === 'action-mask');
  const trainer = await cpuTrainer({ ...examined, arms }, { weights: stories });
  const [first] = await metricsOf(trainer, 1);
  const of = (name: MetricName): number => curveOf([first as Float64Array], 0, name)[0] as number;
  expect(of('ordinaryCrossEntropy')).toBeCloseTo(expected, 4);
  expect(expected).toBeCloseTo(1.8114, 3);
  for (const share of ['heldOutTakenUp', 'otherListenerTakenUp'] as const) {
    expect(of(share)).toBeGreaterThanOrEqual(0);
    expect(of(share)).toBeLessThan(0.2);
  }
  expect(of('repeatedWords')).toBeGreaterThan(0);
  expect(of('repeatedWords')).toBeLessThan(0.3);
  expect(of('saidBack')).toBeLessThan(0.1);
  trainer.dispose();
});

test('write English, end their sentences, and learn: the same alone and beside others, and after a resumption', async () => {
  const together = await trainerOf(['action-mask', 'world-model']);
  const first = await (await together.runUpdate({ seed: 0, group: 0 })).episodes;
  const sentences = (first ?? []).flatMap(({ tokens, roles }) => {
    const said: number[][] = [[]];
    Array.from(tokens).forEach((token, at) => {
      if (roles[at] === ROLE.action) said[said.length - 1]?.push(token);
      else if ((said[said.length - 1]?.length ?? 0) > 0) said.push([]);
    });
    return said.filter((one) => one.length > 0).map(textOf);
  });
  expect(sentences).toHaveLength(6);
  for (const sentence of sentences) expect(sentence).toMatch(/^[\x20-\x7e\n”“’‘]+$/);
  expect(sentences.some((sentence) => /\b(the|was|she|he|and)\b/i.test(sentence))).toBe(true);
  const state = await together.snapshot();

  const rest = await metricsOf(together, 2);
  // The world model learns Tom's lines at once.
  const surprise = curveOf(rest, 1, 'observationCrossEntropy');
  // What was drawn with a cache has the log-probs of the training pass, but for rounding.
  expect(Math.max(...curveOf(rest, 0, 'mismatch'))).toBeLessThan(1e-5);
  expect(surprise[1]).toBeLessThan(surprise[0] as number);

  const alone = await trainerOf(['action-mask']);
  const own = curveOf(await metricsOf(alone, 3), 0, 'return').slice(1);
  expect(own).toEqual(curveOf(rest, 0, 'return'));
  expect((await alone.snapshot()).tensors.parameters).toEqual(
    (await together.snapshot()).tensors.parameters.slice(0, state.tensors.parameters.length / 2),
  );

  const again = await trainerOf(['action-mask', 'world-model']);
  await again.restore(state);
  expect(await metricsOf(again, 2)).toEqual(rest);
  for (const trainer of [together, alone, again]) trainer.dispose();
});

test('adapters on one frozen model: begin as it, learn, the same alone and beside others, and after a resumption', async () => {
  const lora = { adapterRank: 4, adapterMaps: 'q, v' } as const;
  const full = await trainerOf(['action-mask']);
  const together = await trainerOf(['action-mask', 'mask-kl'], lora);
  const [asModel, before] = [await metricsOf(full, 1), await metricsOf(together, 1)];
  // B is 0 at first: what is played is the model's.
  for (const metric of ['return', 'entropy', 'observationCrossEntropy'] as const) {
    expect(curveOf(before, 0, metric)).toEqual(curveOf(asModel, 0, metric));
  }
  const state = await together.snapshot();
  const size = state.tensors.parameters.length / 2;
  // Queries of 64 columns and values of 32, of 5 layers, and the value head.
  expect(size).toBe(5 * 4 * (64 + 64 + 64 + 32) + 64 + 4);
  const offsets = together.layout.specs.filter(({ name }) => name.endsWith('.B')).map(({ offset }) => offset);
  for (const offset of offsets) {
    expect(state.tensors.reference[offset]).toBe(0);
    expect(state.tensors.parameters[offset]).not.toBe(0);
  }

  const rest = await metricsOf(together, 2);
  expect(Math.max(...curveOf(rest, 0, 'mismatch'))).toBeLessThan(1e-5);
  const alone = await trainerOf(['action-mask'], lora);
  expect(curveOf(await metricsOf(alone, 3), 0, 'return')).toEqual([
    ...curveOf(before, 0, 'return'),
    ...curveOf(rest, 0, 'return'),
  ]);
  const again = await trainerOf(['action-mask', 'mask-kl'], lora);
  await again.restore(state);
  expect(await metricsOf(again, 2)).toEqual(rest);
  // A second member costs its own adapters and activations, and no second model.
  const model = findModel('stories260k')?.bytes ?? expect.fail();
  expect(together.plan.bytes - alone.plan.bytes).toBe(alone.plan.bytes - model);
  for (const trainer of [full, together, alone, again]) trainer.dispose();
});
