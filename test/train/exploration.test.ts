/** Exploration in training: what decoding records is what was drawn from, and examinations do not explore. */
import { expect, it } from 'vitest';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { greedily } from '../../src/rl/play/baselines';
import { hyperparameters, membersOf } from '../../src/rl/population';
import { HYPER } from '../../src/tensor/layout';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const plain = defaultArm('plain', 'Plain');
const explorer: Arm = { ...plain, id: 'explorer', uniformShare: 0.4, annealing: 2, ratioBase: 'behaviour' };
const nucleus: Arm = { ...plain, id: 'nucleus', topP: 0.7 };

it('Recorded log-probs are of the mixture or the nucleus, and of the policy once ε has annealed to 0', async () => {
  const arms = [plain, explorer, nucleus];
  const trainer = await cpuTrainer(parseExperiment({ ...tiny, seeds: 1, arms }));
  const metrics = await metricsOf(trainer, 3);
  const at = (update: number, p: number, name: MetricName): number =>
    metrics[update]?.[p * METRICS.length + METRIC[name]] as number;
  expect(at(0, 0, 'mismatch')).toBeLessThan(1e-5);
  expect(at(0, 1, 'mismatch')).toBeGreaterThan(0.001);
  expect(at(2, 1, 'mismatch')).toBeLessThan(1e-5);
  // A nucleus of 0.7 has 1/0.7 of the policy's probability at most, and is smaller than all words.
  expect(at(0, 2, 'mismatch')).toBeGreaterThan(0.05);
  expect(at(0, 2, 'mismatch')).toBeLessThanOrEqual(Math.log(1 / 0.7));
});

it('A greedy table draws nothing evenly', () => {
  const table = greedily(hyperparameters(membersOf([explorer], [0]), [explorer]));
  expect(table[HYPER.uniformShare]).toBe(0);
  expect(table[HYPER.temperature]).toBeLessThan(0.001);
});
