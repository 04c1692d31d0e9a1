/** Weight of one observation token against one action token, beside λ, with the counts of the newest trajectory. */

import { isFixed } from '../../../experiment/arm/policyFiles';
import {
  type ArmProgress,
  EVEN_COUNTS,
  observationWeight,
  type TokenCounts,
  uncounted,
} from '../../../experiment/arm/tokenWeight';
import { summarise } from '../../../experiment/conclude/statistics';
import type { Arm } from '../../../experiment/experiment';
import { ROLES } from '../../../foundation/roles';
import type { EpisodeView } from '../../../train/looks/shown';
import { formatSetting, joinNames } from '../../kit/format';
import { worldOf } from '../environment';
import { useLabParts, useLabState } from '../useLab';

interface Props {
  /** Arms that λ concerns. */
  readonly arms: readonly Arm[];
  /** True if the arms are not named elsewhere. */
  readonly scoped: boolean;
}

/** Position 0 is predicted by nothing. */
function countTargets({ roles }: Pick<EpisodeView, 'roles'>): TokenCounts {
  const count = (role: number) => roles.subarray(1).reduce((sum, at) => sum + (at === role ? 1 : 0), 0);
  return Object.fromEntries(ROLES.map((role, index) => [role, count(index)])) as Record<(typeof ROLES)[number], number>;
}

/** Progress of each arm in training. */
function useProgress(): (id: string) => ArmProgress {
  const { running, history, update } = useLabParts('running', 'history', 'update');
  useLabState((state) => state.tick);
  return (id) => {
    const index = running?.arms.findIndex((arm) => arm.id === id) ?? -1;
    const newest = (metric: 'successRate' | 'keptGroups'): number | null =>
      history === null || index < 0 || history.count === 0
        ? null
        : summarise(history.lastOfSeeds(index, metric, 1)).mean;
    return { update, successRate: newest('successRate'), keptGroups: newest('keptGroups') };
  };
}

export function TokenWeight({ arms, scoped }: Props) {
  const batch = useLabState((state) => state.edited.batch);
  const place = useLabState((state) => state.edited.environment);
  const episodes = useLabState((state) => state.episodes);
  const world = worldOf(place);
  const progressOf = useProgress();
  if (arms.length === 0) {
    return (
      <span className="control-remark">No arm has prediction. Press an observation cell of the table to add it.</span>
    );
  }
  const shape = { ...batch, context: world?.environment.context ?? 1 };
  const learning = arms.filter((arm) => arm.ce.observation > 0 && !isFixed(arm));
  const words = learning.map((arm) => {
    const episode = episodes[arm.id];
    const progress = progressOf(arm.id);
    const counts = episode === undefined ? EVEN_COUNTS : countTargets(episode);
    const weight = observationWeight(arm, counts, shape, progress);
    const whose = scoped ? `${arm.name}: one` : 'One';
    if (weight === null) return `${scoped ? `${arm.name}: no` : 'No'} action learns from the reward beside it.`;
    const times = arm.worldModelForm === 'probability-threshold' ? ' times its probability' : '';
    const basis =
      episode === undefined
        ? 'with as many observations as actions'
        : `${counts.action} actions and ${counts.observation} observations in the newest episode`;
    const scheduled = arm.worldModelSchedule === 'constant' ? '' : ` at update ${progress.update}`;
    const missing = uncounted(arm, progress);
    const rest = missing.length === 0 ? '' : ` Not counted: ${joinNames(missing)}.`;
    const share = Number(weight.toPrecision(2));
    const like =
      share === 1 && times === '' ? 'one action token' : `${formatSetting(share)}${times} of an action token`;
    return `${whose} observation token counts like ${like} with advantage 1${scheduled} (${basis}).${rest}`;
  });
  return (
    <span className="control-remark">
      {words.length === 0 ? `${joinNames(arms.map(({ name }) => name))} has no prediction.` : words.join(' ')}
    </span>
  );
}
