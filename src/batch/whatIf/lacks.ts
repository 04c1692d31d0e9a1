/** Numbers that an objective needs and a batch does not have. */
import { formulaOf } from '../../experiment/arm/ownLosses';
import type { Arm } from '../../experiment/experiment';
import type { InputName } from '../../formula/vocabulary';
import { ROLES } from '../../foundation/roles';
import { weightOn } from '../../hyperparameters/weights';
import { BATCH_ROLE } from '../trajectory';
import { covers, type KeptTrajectory } from './kept';

/** Columns that every trajectory of a batch has. */
export interface GivenColumns {
  /** Column that is taken as the policy's log-probs. */
  readonly source: 'logp' | 'old' | 'rollout' | null;
  readonly old: boolean;
  readonly rollout: boolean;
  readonly reference: boolean;
  readonly values: boolean;
  readonly advantage: boolean;
  readonly rewards: boolean;
  /** Log-probs of tokens that the policy did not sample, by role. */
  readonly scored: (role: number) => boolean;
}

export function givenOf(all: readonly KeptTrajectory[]): GivenColumns {
  const has = (name: Parameters<typeof covers>[1]): boolean => all.every((one) => covers(one, name));
  const source = (['logp', 'old', 'rollout'] as const).find(has) ?? null;
  return {
    ...{ source, old: has('old'), rollout: has('rollout'), reference: has('reference') },
    ...{ values: has('values'), advantage: has('advantage') },
    rewards: all.every(({ reward, group }) => Number.isFinite(reward) && group !== null),
    scored: (role) => source !== null && all.every((one) => covers(one, source, (own) => own === role)),
  };
}

type Need = readonly [what: string, isNeeded: (arm: Arm) => boolean, isThere: (given: GivenColumns) => boolean];

const never = (): boolean => false;
const isPart = (share: number): boolean => share > 0 && share < 1;

const NEEDS: readonly Need[] = [
  ['log-probs', () => true, ({ source }) => source !== null],
  ['rewards and groups, or advantages', () => true, ({ rewards, advantage }) => rewards || advantage],
  ['entropies', (arm) => isPart(arm.entropyShare) || isPart(arm.worldModelTurnShare), never],
  ['logits', (arm) => arm.advantageBaseline.startsWith('optimal') || arm.placebo, never],
  [
    'the values of a critic',
    (arm) => arm.advantageCredit === 'gae' || arm.advantageCredit === 'bilevel-gae',
    ({ values, rewards }) => values && rewards,
  ],
  ['a greedy episode of each prompt', (arm) => arm.advantageBaseline === 'greedy', never],
  ['the states of turns', (arm) => arm.stepWeight !== 0, never],
  ['the histories of turns', (arm) => arm.advantageCredit === 'tree', never],
  ['rewards of turns', (arm) => arm.advantageCredit === 'turn-rewards', never],
  ['the environments of episodes', (arm) => arm.advantageScale === 'environment-deviation', never],
  ['which episodes succeeded', (arm) => arm.worldModelTrajectories !== 'all' || arm.positiveNll > 0, never],
  ['the shares of well-formed turns', (arm) => arm.worldModelMinValid > 0, never],
  [
    'rewards and groups',
    (arm) => arm.worldModelRewardScale > 0 || arm.predictionReward !== 0,
    ({ rewards }) => rewards,
  ],
  [
    'rollout log-probs',
    (arm) => arm.decodingCorrection !== 'none' || arm.ratioBase === 'behaviour' || arm.offPolicyLimit > 0,
    ({ rollout }) => rollout,
  ],
  ['reference log-probs', (arm) => arm.klCoefficient !== 0 || arm.rewardKl !== 0, ({ reference }) => reference],
  ['log-probs of observations', (arm) => arm.predictionReward !== 0, ({ scored }) => scored(BATCH_ROLE.observation)],
  ...ROLES.filter((role) => role !== 'action' && role !== 'thought').map(
    (role): Need => [
      `log-probs of ${role} tokens`,
      (arm) => weightOn(arm.pg, role) !== 0 || weightOn(arm.ce, role) !== 0,
      ({ scored }) => scored(BATCH_ROLE[role]),
    ],
  ),
];

/** Names that a formula can read and a batch may not have. */
const READS: readonly (readonly [
  what: string,
  names: readonly InputName[],
  isThere: (given: GivenColumns) => boolean,
])[] = [
  ['entropies', ['entropy'], never],
  ['the values of a critic', ['value'], ({ values }) => values],
  ['rollout log-probs', ['sampler_logp'], ({ rollout }) => rollout],
  ['reference log-probs', ['ref_logp'], ({ reference }) => reference],
  ['rewards and groups', ['reward', 'returns'], ({ rewards }) => rewards],
  ['rewards of turns', ['turn_reward'], never],
  ['which episodes succeeded', ['success', 'success_rate'], never],
  ['the shares of well-formed turns', ['valid'], never],
];

export function lacksOf(arm: Arm, given: GivenColumns): string[] {
  const ofArm = NEEDS.filter(([, isNeeded, isThere]) => isNeeded(arm) && !isThere(given)).map(([what]) => what);
  const reads = new Set(arm.losses.flatMap(({ text }) => [...formulaOf(text).reads]));
  const ofTexts = READS.filter(([, names, isThere]) => names.some((name) => reads.has(name)) && !isThere(given));
  return [...new Set([...ofArm, ...ofTexts.map(([what]) => what)])];
}
