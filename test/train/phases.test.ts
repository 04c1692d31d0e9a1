/** Updates that train a part of an arm alone: the same bits as an arm with no other loss, and nothing else moves. */
import { expect, it } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { cpuTrainer } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const NONE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const mask: Arm = { ...defaultArm('mask', 'Mask'), klCoefficient: 0.05, entropyCoefficient: 0.01, learningRate: 0.01 };
const both: Arm = { ...mask, ce: { ...mask.ce, observation: 0.3 } };

async function start(arms: readonly Arm[]) {
  const trainer = await cpuTrainer(parseExperiment({ ...tiny, seeds: 1, arms: [...arms] }));
  const N = trainer.layout.size;
  const parameters = async () => {
    const all = (await trainer.snapshot()).tensors.parameters;
    return arms.map((_, p) => all.slice(p * N, (p + 1) * N));
  };
  return { trainer, parameters };
}

it('World model and policy in turn step as arms with one of the two losses', async () => {
  const between = 'policy';
  const arms: Arm[] = [
    mask,
    { ...both, id: 'policy-turn', worldModelEvery: 2, worldModelBetween: between },
    { ...both, id: 'world-alone', pg: NONE, klCoefficient: 0, entropyCoefficient: 0 },
    { ...both, id: 'world-turn', worldModelEvery: 1, worldModelBetween: between },
  ];
  const { trainer, parameters } = await start(arms);
  const metrics = await (await trainer.runUpdate()).metrics;
  const [policy, policyTurn, world, worldTurn] = await parameters();
  expect(policyTurn).toEqual(policy);
  expect(worldTurn).toEqual(world);
  expect(world).not.toEqual(policy);
  expect(metrics[3 * METRICS.length + METRIC.clipFraction]).toBeNaN();
});

it('In the critic’s warm-up the value head alone moves, and the policy from then on', async () => {
  const ppo: Arm = { ...both, advantageCredit: 'gae', valueCoefficient: 0.5, criticWarmUp: 2, minibatches: 2 };
  const { trainer, parameters } = await start([ppo, { ...ppo, id: 'none', criticWarmUp: 0 }]);
  const [initial] = await parameters();
  const head = trainer.layout.specs.find(({ name }) => name === 'value.weight')?.offset ?? 0;
  for (let update = 0; update < 2; update++) {
    const metrics = await (await trainer.runUpdate()).metrics;
    expect(metrics[METRIC.kl]).toBe(0);
    expect(metrics[METRIC.valueLoss]).toBeGreaterThan(0);
  }
  const [warm, cold] = await parameters();
  expect(warm?.slice(0, head)).toEqual(initial?.slice(0, head));
  expect(warm?.slice(head)).not.toEqual(initial?.slice(head));
  expect(cold?.slice(0, head)).not.toEqual(initial?.slice(0, head));
  await (await trainer.runUpdate()).metrics;
  const [moved] = await parameters();
  expect(moved?.slice(0, head)).not.toEqual(initial?.slice(0, head));
});
