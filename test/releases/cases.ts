/**
 * Runs that every release leaves as files: what `lab run` is given, and after how many updates its checkpoint is kept. Together
 * they have whatever is written into a checkpoint, and every world.
 */
export interface Case {
  readonly name: string;
  /** First release that can train it. */
  readonly since: string;
  /** Fragment of a link. */
  readonly link: string;
  /** Further options; on the CPU where they name no backend. */
  readonly options?: readonly string[];
  /** Updates in the checkpoint; null where none is kept. */
  readonly before: number | null;
}

/** One diagnosis, at update 10, is made after the checkpoint. */
const TINY = 'preset=gridworld-tiny&seeds=1&updates=11&policy.heads=1&arms=world-model';
const SMALL = `${TINY}&environment.size=3&environment.horizon=5`;

/** All that version 0.1.0 could keep: earlier policies, tasks, a critic, a reference, changes behind and ahead. */
const REMEMBERING = [
  'evaluation.every=3&evaluation.tasks=4&environment.heldOut=0.25&environment.noiseTokens=1',
  'arms.world-model.objective=ppo&arms.world-model.ce.observation=0.1&arms.world-model.klCoefficient=0.05',
  'arms.world-model.taskChoice=failed-again&arms.world-model.hindsight=0.5&arms.world-model.resampling=1',
  'arms.world-model.staleness=1&changes=3:world-model:ce.observation:0.05;8:*:learningRate:0.002',
].join('&');

/** What version 0.2.0 added: solved episodes, success as a formula reads it, readings of the warm start, more terms. */
const REPLAYING = [
  'warmStart.updates=20&warmStart.measureEvery=10&arms.world-model.warmStart=actions&informationEpisodes=8',
  'arms.world-model.replay=policy-gradient&arms.world-model.minibatches=2',
  'arms.world-model.inverseDynamics=0.1&arms.world-model.distillation=0.1',
].join('&');

const MIXED = [
  'preset=mixture&seeds=1&updates=2&batch.groups=4&batch.groupSize=2&environment.terminal=1',
  'policy.width=16&policy.layers=1&policy.heads=1',
  'warmStart.updates=2&arms.world-model.warmStart=actions-and-observations',
].join('&');

const FROM_FILES = 'preset=gridworld-from-files&seeds=1&updates=2&batch.groups=1';

export const CASES: readonly Case[] = [
  { name: 'plain', since: '0.1.0', link: SMALL, before: 5 },
  { name: 'remembering', since: '0.1.0', link: `${SMALL}&${REMEMBERING}`, before: 5 },
  { name: 'mixture', since: '0.1.0', link: MIXED, before: null },
  { name: 'reference', since: '0.1.0', link: SMALL, options: ['--backend', 'reference'], before: null },
  { name: 'from-files', since: '0.1.0', link: FROM_FILES, before: null },
  {
    name: 'replaying',
    since: '0.2.0',
    link: `${SMALL}&${REPLAYING}`,
    // A shard that is the whole run, which merges into the same.
    options: ['--shard', '1/1', '--loss', 'world-model:predict=test/releases/falling.loss'],
    before: 5,
  },
  {
    name: 'own-world',
    since: '0.2.0',
    link: TINY,
    options: ['--backend', 'cpu-fused', '--world', 'worlds/sum.js'],
    before: 5,
  },
];

/** Runs of the page. */
export const FINISHED = `#${SMALL.replace('updates=11', 'updates=3')}`;
export const PAUSED = { link: `#${SMALL}`, before: 5 };
