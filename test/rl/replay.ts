/**
 * Recorded trajectories replayed for some updates, to compare whole updates between backends. Each member has its own row
 * of the hyperparameter table, so one replay can contain as many objectives as members.
 */
import { gridworld } from '../../src/environments/gridworld/gridworld';
import type { Arm } from '../../src/experiment/experiment';
import { RandomStream } from '../../src/foundation/philox';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import type { Minibatches } from '../../src/rl/learn/minibatches';
import { needsOf } from '../../src/rl/learn/needs';
import { ReplayLoss } from '../../src/rl/learn/replayLoss';
import { planMicrobatches } from '../../src/rl/plan';
import { legalSetTable } from '../../src/rl/play/legalSets';
import { Trajectories } from '../../src/rl/play/trajectories';
import { Update } from '../../src/rl/update';
import type { UpdateReadback } from '../../src/rl/updateContract';
import type { Backend } from '../../src/tensor/backend';
import { REWARD_PARTS } from '../../src/tensor/columns';
import { HYPER_COLUMNS } from '../../src/tensor/layout';

const environment = gridworld.create({ size: 3, horizon: 5, minimumDistance: 1 });
const groups = 5;
export const groupSize = 4;

export const configuration: PolicyConfiguration = {
  layers: 2,
  width: 16,
  heads: 2,
  context: environment.context,
  vocabulary: 16,
  positions: 'learned',
  activation: 'gelu',
  initialisation: 'normal',
  initialScale: 0.3,
};
export const layout = layoutParameters(configuration);

/** Smallest transformer, for populations of many members. */
export const small: PolicyConfiguration = { ...configuration, layers: 1, width: 8, heads: 1 };

/**
 * Random walks of random lengths with random rewards, the same for every member. One group has equal rewards, and some
 * turns have warnings. slots: the walks to take, all by default.
 */
export function recordedTrajectories(
  members: number,
  update: number,
  slots: readonly number[] = Array.from({ length: groups * groupSize }, (_, slot) => slot),
): Trajectories {
  const B = slots.length;
  const trajectories = new Trajectories(members, B, environment.context, environment.maxTurns);
  for (let i = 0; i < members * B; i++) {
    const slot = slots[i % B] as number;
    const random = new RandomStream(7, 9, slot, update, 0);
    trajectories.appendSaid(i, 1, 'prompt');
    trajectories.appendSaid(i, 6 + random.below(9), 'prompt');
    trajectories.appendSaid(i, 6 + random.below(3), 'prompt');
    for (let turn = random.below(5); turn >= 0; turn--) {
      const anchor = trajectories.anchorOf(i);
      trajectories.appendDrawn(i, 2 + random.below(4), 1, -1.4 + 0.2 * random.normal());
      const actionEnd = trajectories.lengths[i] as number;
      const isWarned = random.below(8) === 0;
      trajectories.appendSaid(i, 6 + random.below(3), isWarned ? 'warning' : 'observation');
      const reward = turn > 0 ? 0 : slot < groupSize ? 1 : random.below(2);
      trajectories.endTurn(i, actionEnd, reward, anchor);
      trajectories.rewards[i] = reward;
      // Two parts, the second no copy of the first.
      trajectories.parts[i * REWARD_PARTS] = reward;
      trajectories.parts[i * REWARD_PARTS + 1] = (slot % 3) / 2;
      trajectories.successes[i] = reward;
    }
    trajectories.baselines[i] = 0.5;
  }
  return trajectories;
}

/** Trajectories of a batch that members with a replay have from earlier updates: the last ones. */
export const replayedSlots = (count: number): number => Math.floor(count / 3);

/** Marks the last trajectories of members with a replay, each with an advantage of its own. */
function markReplayed({ replayed, count }: Trajectories, settings: readonly Arm[]): void {
  settings.forEach((arm, member) => {
    if (arm.replay === 'none') return;
    for (let slot = count - replayedSlots(count); slot < count; slot++) {
      const advantage = 0.5 + slot / 10;
      replayed.set(member * count + slot, { task: Int32Array.of(0), update: 0, advantage, turns: [] });
    }
  });
}

export interface Replay {
  readonly readbacks: readonly UpdateReadback[];
  /** Parameters of all members, [P, N]. */
  readonly parameters: ArrayLike<number>;
  /** Numbers of each token after the last update, [P, B, T] each. */
  readonly advantage: ArrayLike<number>;
  readonly policyWeight: ArrayLike<number>;
  readonly crossEntropyWeight: ArrayLike<number>;
}

/** Replays updates. `hyper`: [P, HYPER_COLUMNS]. */
export async function replay(
  backend: Backend,
  hyperRows: Float32Array,
  innerEpochs: readonly number[],
  options: {
    updates: number;
    /** Number of the first update, 0 by default; each has its own trajectories. */
    first?: number;
    /** Number of groups, all by default. */
    groups?: number;
    configuration: PolicyConfiguration;
    diagnostics: boolean;
    /** Update whose walks all updates replay, instead of its own each. */
    walks?: number;
    /** Walks of an update that it takes: see recordedTrajectories(). */
    slotsOf?: (update: number) => readonly number[];
    /** Minibatches of an update; none by default. */
    cutOf?: (update: number) => Minibatches | null;
    /** Settings of the members, [P], of which some replay the last third of the walks as earlier successes. */
    settings?: readonly Arm[];
    /** Targets of the world-model loss instead of the trajectories' own tokens. */
    targetsOf?: (trajectories: Trajectories, update: number) => { targets?: Uint16Array };
  },
): Promise<Replay> {
  const { first = 0, groups: count = groups, configuration, diagnostics, targetsOf = () => ({}) } = options;
  const everySlot = Array.from({ length: count * groupSize }, (_, slot) => slot);
  const { walks, slotsOf = () => everySlot, cutOf = () => null, settings = [] } = options;
  const layout = layoutParameters(configuration);
  const P = innerEpochs.length;
  const tensor = (label: string, stride: number) => backend.tensor(label, 'f32', P, stride);
  const hyper = tensor('hyper', HYPER_COLUMNS);
  backend.write(hyper, hyperRows);
  const table = legalSetTable(environment, configuration.vocabulary);
  const legalSets = backend.tensor('legalSets', 'u32', 1, table.length);
  backend.write(legalSets, table);
  const state = {
    parameters: tensor('parameters', layout.size),
    firstMoment: tensor('firstMoment', layout.size),
    secondMoment: tensor('secondMoment', layout.size),
    step: tensor('step', 1),
    reference: tensor('reference', layout.size),
  };
  const initial = Float32Array.from(innerEpochs.flatMap(() => [...initialParameters(layout, 3, 0)]));
  backend.write(state.parameters, initial);
  // The reference is another policy, so the KL to it is not 0.
  const other = Float32Array.from(innerEpochs.flatMap(() => [...initialParameters(layout, 3, 1)]));
  backend.write(state.reference, other);
  const sizes = { groups: count, groupSize };
  const members = Array.from({ length: P }, (_, armIndex) => ({ armIndex, arm: `arm-${armIndex}`, seed: 0 }));
  const plan = planMicrobatches(backend.limits, configuration, {
    members: P,
    trajectories: count * groupSize,
    groups: count,
    turns: environment.maxTurns,
    parameters: layout.size,
    together: layout.size,
    chunk: 3,
    maxActionTokens: 1,
  });
  const update = new Update(backend, {
    environment,
    configuration,
    layout,
    state,
    members,
    sizes,
    plan,
    hyper,
    legalSets,
  });
  await backend.prepare();
  const needs = needsOf(hyperRows);
  await update.prepare(needs);
  const readbacks: UpdateReadback[] = [];
  for (let i = first; i < first + options.updates; i++) {
    const trajectories = recordedTrajectories(P, walks ?? i, slotsOf(i));
    const targets = targetsOf(trajectories, i);
    const cut = cutOf(i);
    const minibatches = cut && { cut, table: hyperRows };
    markReplayed(trajectories, settings);
    const replay =
      trajectories.replayed.size === 0
        ? null
        : new ReplayLoss(backend, update.batch, trajectories, settings, hyperRows);
    const asked = { innerEpochs, minibatches, replay, needs, reference: true, diagnostics, ...targets };
    readbacks.push(await update.run(trajectories, asked));
  }
  const { dense } = update.batch;
  const [parameters, advantage, policyWeight, crossEntropyWeight] = await backend.read(
    state.parameters,
    dense.advantage,
    dense.policyWeight,
    dense.crossEntropyWeight,
  );
  return { readbacks, parameters, advantage, policyWeight, crossEntropyWeight };
}
