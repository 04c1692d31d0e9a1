/** Name of a run: its differences from the run before it, or its title where that is another, as a sweep's is. */
import type { Arm, Experiment } from '../../experiment/experiment';
import type { SettingValue } from '../../experiment/settings/setting';
import { differencesOf, type SettingDifference } from '../edit/differences';

/** Largest number of differences named one by one; further ones are counted. */
const TOLD = 2;

export function runName(parent: Experiment | null, experiment: Experiment): string {
  if (parent === null || parent.preset !== experiment.preset || parent.title !== experiment.title)
    return experiment.title;
  const differences = groupsOf(differencesOf(parent, experiment), experiment.arms);
  const live = experiment.timeline.length;
  const changed = live > 0 && JSON.stringify(parent.timeline) !== JSON.stringify(experiment.timeline);
  const changes = [...differences, ...(changed ? [`${live} ${live === 1 ? 'change' : 'changes'} made live`] : [])];
  if (changes.length === 0) return 'the same again';
  const list = changes.slice(0, TOLD).join('; ');
  return changes.length > TOLD ? `${list}; and ${changes.length - TOLD} more` : list;
}

/** Differences in words; the same change in several arms is named once. */
function groupsOf(differences: readonly SettingDifference[], arms: readonly Arm[]): string[] {
  const inArms = new Map<string, string[]>();
  for (const { arm, label, from, to } of differences) {
    const change = `${label} ${write(from)} → ${write(to)}`;
    const names = arm === null ? [] : [arms.find(({ id }) => id === arm)?.name ?? arm];
    inArms.set(change, [...(inArms.get(change) ?? []), ...names]);
  }
  return [...inArms].map(([change, names]) => {
    if (names.length === 0 || arms.length === 1) return change;
    return `${change} in ${names.length === arms.length ? 'all arms' : names.join(', ')}`;
  });
}

function write(value: SettingValue): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value).replace('-', '−');
}
