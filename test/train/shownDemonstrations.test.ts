/** Demonstrations shown during a warm start are those that it learns from, and its loss is told member by member. */
import { expect, it } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { Imitation, tokensInStep } from '../../src/rl/learn/imitation';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ShownDemonstrations } from '../../src/train/looks/demonstrations';
import { TrainerPool } from '../../src/train/pool/pool';
import { createEnvironment } from '../../src/train/population/shape';
import { Trainer } from '../../src/train/population/trainer';
import { startHere } from '../support/poolHere';
import { armOf } from '../support/trained';

const { experiment: preset } = defaultPreset;
const experiment: Experiment = {
  ...preset,
  seeds: 2,
  batch: { ...preset.batch, groups: 2, groupSize: 2 },
  policy: { ...preset.policy, layers: 1, width: 32 },
  arms: ['actions', 'actions-and-observations', 'observations', 'none'].map((one) => armOf(one as Arm['warmStart'])),
  warmStart: { ...preset.warmStart, updates: 4, batch: 3, demonstrations: 5, noisy: 0.5, noise: 0.5 },
};

it('a demonstration shown is the first that its step imitates, in every seed', () => {
  const environment = createEnvironment(experiment);
  const members = membersOf(experiment.arms, [0, 1]);
  const used = new Trajectories(members.length, 4, environment.context, environment.maxTurns);
  const imitation = new Imitation(environment, experiment);
  const shown = new ShownDemonstrations(experiment);
  for (let step = 0; step < 4; step++) {
    const tokens = members.map(({ armIndex }) =>
      tokensInStep(experiment.arms[armIndex]?.warmStart ?? 'none', step, experiment.warmStart),
    );
    used.clear();
    imitation.play(used, members, tokens, step);
    for (const seed of [0, 1]) {
      const views = shown.at(step, { seed, group: 1 });
      expect(views.map(({ arm }) => arm)).toEqual(experiment.arms.map(({ id }) => id));
      views.forEach((view, arm) => {
        const first = (arm * 2 + seed) * 4;
        expect(view.imitated).toBe(step);
        // The last arm imitates nobody: it is shown what the others learn from.
        if (arm === 3) {
          expect(view.tokens).toEqual(views[0]?.tokens);
          return;
        }
        const length = used.lengths[first] ?? 0;
        const from = first * environment.context;
        expect(Array.from(view.tokens)).toEqual(Array.from(used.tokens.slice(from, from + length)));
        expect(Array.from(view.roles)).toEqual(Array.from(used.roles.slice(from, from + length)));
        expect([view.reward, view.success]).toEqual([used.rewards[first], used.successes[first] === 1]);
      });
    }
  }
});

it('each arm learns from the tokens of its choice', () => {
  const taught = new ShownDemonstrations(experiment)
    .at(0, { seed: 0, group: 0 })
    .map(({ roles, crossEntropyWeight }) => {
      const learned = Array.from(roles).filter((_, t) => (crossEntropyWeight[t] ?? 0) > 0);
      return [ROLE.action, ROLE.observation].map((role) => learned.includes(role));
    });
  expect(taught).toEqual([
    [true, false],
    [true, true],
    [false, true],
    [false, false],
  ]);
});

it('the loss of each member falls, is NaN where nothing is imitated, and is the same on Workers', async () => {
  const longer = { ...experiment, warmStart: { ...experiment.warmStart, updates: 30, learningRate: 1e-2 } };
  const [alone, pool] = [
    new Trainer(await createCpuBackend(), longer),
    new TrainerPool(longer, { workers: 2, start: startHere }),
  ];
  await Promise.all([alone.prepare(), pool.prepare()]);
  const losses = async (training: Pick<TrainerPool, 'warmUp'>) => {
    const told: (readonly number[])[] = [];
    for (let step = 0; step < 30; step++) told.push((await training.warmUp()).loss ?? []);
    return told;
  };
  const told = await losses(alone);
  expect(await losses(pool)).toEqual(told);
  pool.dispose();
  const [first = [], last = []] = [told[0], told.at(-1)];
  expect(first.map(Number.isNaN)).toEqual([...Array(6).fill(false), true, true]);
  for (let member = 0; member < 6; member++) expect(last[member]).toBeLessThan(0.9 * (first[member] ?? 0));
  expect((await alone.warmUp()).loss).toBeUndefined();
});
