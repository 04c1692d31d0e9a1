/** Group filter: the groups that stay in the policy gradient; all without a filter. */
import { BOUND } from '../../bounds';
import type { AdvantageOptions } from './options';
import type { Spread } from './spread';

/** True for each group that is kept. rewards: spread of each group's rewards; deviations: of each group's scores. */
export function keptGroups(
  { groupFilter, groupFilterShare }: AdvantageOptions,
  rewards: readonly Spread[],
  deviations: readonly number[],
): boolean[] {
  const deviation = (g: number): number => deviations[g];
  const precedes = (h: number, g: number): boolean => {
    const difference = deviation(h) - deviation(g);
    const isTie = Math.abs(difference) <= BOUND.tie * deviation(g);
    return isTie ? h < g : difference > 0;
  };
  const isEqual = ({ count, equal }: Spread): boolean => equal && count !== 1;
  if (groupFilter === 'none') return rewards.map(() => true);
  if (groupFilter === 'unequal') return rewards.map((reward) => !isEqual(reward));
  if (groupFilter === 'top-deviation') {
    const places = placesKept(groupFilterShare, rewards.length);
    return rewards.map((_, g) => rewards.filter((_, h) => precedes(h, g)).length < places);
  }
  const variance = (g: number): number => deviation(g) * deviation(g);
  const total = rewards.reduce((sum, _, g) => sum + variance(g), 0);
  return rewards.map((_, g) => {
    const before = rewards.reduce((sum, _, h) => (precedes(h, g) ? sum + variance(h) : sum), 0);
    return deviation(g) > 0 && (before === 0 || before < groupFilterShare * total * (1 - BOUND.tie));
  });
}

/** Number of groups to keep: the share rounded down, at least 1. */
const placesKept = (share: number, groups: number): number => Math.max(1, Math.floor(share * groups + BOUND.groups));
