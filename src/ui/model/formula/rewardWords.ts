/** An arm's reward in one line: `outcome + 0.5 · format (within ±1), 1 or 0`. */
import type { WorldWords } from '../../../environments/environment';
import type { Arm } from '../../../experiment/experiment';
import { REWARD_PART_IDS, REWARD_TABLE, type RewardPart } from '../../../hyperparameters/rewards';
import { formatSetting } from '../../kit/format';

const FORMS: Readonly<Record<Arm['outcomeForm'], string>> = {
  environment: '',
  binary: ', outcome 1 or 0',
  signed: ', outcome 1 or −1',
};

/** The environment's own reward alone. */
export function isPlainReward(arm: Arm, world: WorldWords | null): boolean {
  return rewardWords(arm, world) === 'outcome';
}

/** `world`: what the world of the arm calls its outcome and its milestones; null where it is not known. */
export function rewardWords(arm: Arm, world: WorldWords | null): string {
  const paying = REWARD_PART_IDS.filter((part) => arm.reward[part] !== 0);
  if (paying.length === 0) return '0';
  const one = (part: RewardPart): string => {
    const cap = arm.rewardCap[part] > 0 ? ` (within ±${formatSetting(arm.rewardCap[part])})` : '';
    const weight = arm.reward[part] === 1 ? '' : `${formatSetting(arm.reward[part])} · `;
    return `${weight}${nameIn(world, part)}${cap}`;
  };
  const sum = paying.map(one).join(' + ');
  if (arm.reward.outcome === 0) return sum;
  const noise = arm.verifierNoise > 0 ? `, wrong in ${formatSetting(100 * arm.verifierNoise)}%` : '';
  if (arm.outcomeForm !== 'environment' || world?.outcomeWords === undefined) {
    return `${sum}${FORMS[arm.outcomeForm]}${noise}`;
  }
  return sum === 'outcome' ? `${world.outcomeWords}${noise}` : `${sum}${noise}, outcome: ${world.outcomeWords}`;
}

const nameIn = (world: WorldWords | null, part: RewardPart): string =>
  part === 'subgoals' && world?.milestoneWords !== undefined
    ? `share of ${world.milestoneWords}`
    : REWARD_TABLE[part].title.toLowerCase();
