/** Advantages of turns in the tree that a group's rollouts form (RTMC, arXiv 2604.11037). */
import { TURN_PATH, TURN_PATH_COLUMNS } from '../../operations/advantage';
import { turnReturns } from './credit';
import { type AdvantageMember, trajectoriesOfGroup } from './member';
import type { Shaped } from './scores';

interface Visit {
  readonly node: number;
  readonly action: number;
  /** Return from this turn on, discounted by turnDiscount a turn. */
  readonly gained: number;
  /** False where its trajectory did the same at the same node before. */
  readonly isFirst: boolean;
}

/**
 * A = Q(s, a) − V′(s) of each turn, [B, turns]; s is its node, a its action. Over the first visits of (node, action) by the
 * group's used trajectories, Q is the mean return of those at (s, a), and V′ = (Σ return at s + treePrior·mean score of the
 * group)/(visits of s + treePrior). All are taken relative to the turn's own return, so that equal returns give exactly 0.
 */
export function treeAdvantages(member: AdvantageMember, shaped: readonly Shaped[]): Float64Array {
  const { options, B, turns } = member;
  const advantages = new Float64Array(B * turns);
  for (let g = 0; g < member.groups; g++) {
    const used = trajectoriesOfGroup(member, g).filter((b) => shaped[b]?.used);
    const visits = used.map((b) => visitsOf(member, b, shaped[b] as Shaped));
    const nodes = new Map<number, Visit[]>();
    for (const visit of visits.flat()) {
      if (visit.isFirst) nodes.set(visit.node, [...(nodes.get(visit.node) ?? []), visit]);
    }
    const scores = used.map((b) => (shaped[b]?.shaped ?? 0) - options.rewardKl * (member.trajectories[b]?.kl ?? 0));
    used.forEach((b, i) => {
      visits[i].forEach((own, k) => {
        const away = (values: readonly number[]): number =>
          values.reduce((sum, value) => sum + (value - own.gained), 0);
        const gains = (some: readonly Visit[]): number[] => some.map(({ gained }) => gained);
        const here = nodes.get(own.node) ?? [];
        const alike = here.filter(({ action }) => action === own.action);
        const prior = (options.treePrior * away(scores)) / scores.length;
        const value = (away(gains(here)) + prior) / (here.length + options.treePrior);
        advantages[b * turns + k] = away(gains(alike)) / alike.length - value;
      });
    });
  }
  return advantages;
}

function visitsOf(member: AdvantageMember, b: number, shaped: Shaped): Visit[] {
  const { options, turns, turnAnchor, turnPath } = member;
  const gained = turnReturns(member, b, shaped, options.turnDiscount);
  const isByHistory = options.treeState === 'history';
  const path = (k: number, column: number): number => turnPath[(b * turns + k) * TURN_PATH_COLUMNS + column];
  const paths = new Set<string>();
  return Array.from(gained, (own, k) => {
    const node = isByHistory ? path(k, TURN_PATH.history) : turnAnchor[b * turns + k];
    const action = path(k, TURN_PATH.action);
    const key = `${node} ${action}`;
    const isFirst = !paths.has(key);
    paths.add(key);
    return { node, action, gained: own, isFirst };
  });
}
