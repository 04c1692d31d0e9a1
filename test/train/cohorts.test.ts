/** Batches played in cohorts, on every backend: the same numbers, bit for bit, in however many. */
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { mixture } from '../../src/environments/mixture/mixture';
import { decoderChunk } from '../../src/environments/replay';
import { composeVocabulary } from '../../src/environments/vocabulary';
import { defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { Decoder } from '../../src/policy/decoder';
import { layoutParameters, parameterViews } from '../../src/policy/parameters';
import { legalSetTable } from '../../src/rl/play/legalSets';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import type { Backend } from '../../src/tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { availableBackends } from '../support/backends';
import { sharedDevice } from '../support/gpu';
import { randomPolicy } from '../support/policies';
import { cpuTrainer } from '../support/trained';

/** Fifteen trajectories, which neither two nor four divide. */
const [GROUPS, GROUP_SIZE] = [3, 5];
const ARMS = [defaultArm('a', 'A'), defaultArm('b', 'B')];

/** Worlds whose actions have one token, or one in some trajectories and more in others. */
const MAP = gridworld.create({ size: 4, horizon: 3, walls: 0 });
const MIXTURE = mixture.create({ calculator: 0, terminal: 1, 'terminal-horizon': 2, 'gridworld-horizon': 3 });

const backends = [
  ...availableBackends.map((backend) => ({ ...backend, worlds: [MAP, MIXTURE], cuts: [2, 4] })),
  {
    name: 'the kernels of GPUs',
    // On a software adapter they are slow.
    create: async () => createWebGpuBackend({ device: await sharedDevice(), software: false, variant: 'tiled' }),
    worlds: [MAP],
    cuts: [2],
  },
];

/** A batch of a random policy. */
async function played(backend: Backend, environment: Environment, cohorts: number): Promise<Trajectories> {
  const { words, context, maxTurns, maxActionTokens, stopToken } = environment;
  const vocabulary = composeVocabulary([words]).size;
  const { configuration, parameters } = randomPolicy(5, { vocabulary, context, positions: 'rotary', width: 16 });
  const members = membersOf(ARMS, [0]);
  const P = members.length;
  const legal = legalSetTable(environment, vocabulary);
  const legalSets = backend.tensor('legalSets', 'u32', 1, legal.length);
  const hyper = backend.tensor('hyper', 'f32', P, HYPER_COLUMNS);
  const seedIndex = backend.tensor('seedIndex', 'u32', P, 1);
  const layout = layoutParameters(configuration);
  const weights = backend.tensor('parameters', 'f32', P, layout.size);
  backend.write(legalSets, legal);
  backend.write(seedIndex, Uint32Array.of(0, 1));
  for (let p = 0; p < P; p++) {
    backend.write(hyper, Float32Array.of(1 + p), p * HYPER_COLUMNS + HYPER.temperature);
    backend.write(weights, parameters, p * layout.size);
  }
  const [count, chunk] = [GROUPS * GROUP_SIZE, decoderChunk(environment)];
  const sizes = { members: P, trajectories: count, cohorts, chunk, maxActionTokens, stopToken };
  const options = { ...sizes, legalSets, hyper, seedIndex };
  const decoder = new Decoder(backend, configuration, parameterViews(layout, weights), options);
  await backend.prepare();
  const rollout = new Rollout(environment, decoder, members, { groups: GROUPS, groupSize: GROUP_SIZE, chunk });
  const trajectories = new Trajectories(P, count, context, maxTurns);
  await rollout.run(trajectories, {
    arms: ARMS,
    experimentSeed: 7,
    stream: STREAM.sampling,
    round: 0,
    drawTask: (_, group) => environment.drawTask(new RandomStream(7, STREAM.tasks, 0, 0, group)),
  });
  backend.dispose();
  return trajectories;
}

describe('in one cohort, two and four', () => {
  it.each(backends)('trajectories are the same on $name', async ({ create, worlds, cuts }) => {
    for (const environment of worlds) {
      const whole = await played(await create(), environment, 1);
      expect(new Set(whole.behaviourLogProb).size).toBeGreaterThan(50);
      for (const cohorts of cuts) {
        const cut = await played(await create(), environment, cohorts);
        expect(cut.behaviourLogProb).toEqual(whole.behaviourLogProb);
        expect(cut).toEqual(whole);
      }
    }
  });

  it('training, examinations, greedy baselines, stale policies and dreams are the same', async () => {
    const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
    const experiment: Experiment = {
      ...tiny,
      seeds: 1,
      batch: { groups: GROUPS, groupSize: GROUP_SIZE },
      evaluation: { every: 1, tasks: 4, toolEvery: 0 },
      arms: [
        { ...defaultArm('greedy', 'Greedy'), advantageBaseline: 'greedy' },
        { ...defaultArm('stale', 'Stale'), staleness: 1, staleShare: 0.5 },
      ],
    };
    const numbers = async (cohorts: number): Promise<unknown> => {
      const trainer = await cpuTrainer(experiment, { cohorts });
      const seen: unknown[] = [];
      for (let update = 0; update < 2; update++) {
        const result = await trainer.runUpdate({ seed: 0, group: 1 });
        const episodes = (await result.episodes) ?? [];
        const dreams = await trainer.dream({ id: 0, sampling: 'sampled', episodes });
        expect(dreams).toHaveLength(2);
        seen.push(await result.metrics, dreams);
      }
      const { tensors } = await trainer.snapshot();
      trainer.dispose();
      return [...seen, tensors];
    };
    const whole = await numbers(1);
    for (const cohorts of [2, 4]) expect(await numbers(cohorts)).toEqual(whole);
  });
});
