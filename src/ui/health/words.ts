/** A light in words: its state, its criterion in numbers, and what each seed has now. */
import { countOf, type Failure, type HealthState, type Light } from '../../experiment/health';
import { formatMeasured, formatPercent, formatSetting, joinNames, plural } from '../format';

export const STATE_NAMES: Readonly<Record<HealthState, string>> = {
  unknown: 'unknown',
  fine: 'fine',
  warning: 'warning',
  failing: 'failing',
};

/** Seeds whose values are given one by one; of more, the least and the most. */
const LISTED = 4;

/** “failing 2/2”: of an arm with several seeds, how many of those that are known it is about. */
export function shortState({ state, findings }: Light): string {
  const name = STATE_NAMES[state];
  const known = findings.length - countOf(findings, 'unknown');
  if (known < 2 || (state !== 'warning' && state !== 'failing')) return name;
  return `${name} ${illSeeds(findings)}/${known}`;
}

/** “failing in 1 of 4 seeds, a warning in 2”. */
export function longState({ state, findings }: Light): string {
  const known = findings.length - countOf(findings, 'unknown');
  if (state === 'unknown') return 'not measured so far';
  if (known === 1) return STATE_NAMES[state];
  const [failing, warning] = [countOf(findings, 'failing'), countOf(findings, 'warning')];
  if (failing + warning === 0) return `fine in ${known} of ${known} seeds`;
  const parts = [
    ...(failing > 0 ? [`failing in ${failing}`] : []),
    ...(warning > 0 ? [`${failing > 0 ? 'a warning' : 'warning'} in ${warning}`] : []),
  ];
  return `${parts.join(', ')} of ${known} seeds`;
}

function illSeeds(findings: Light['findings']): number {
  return countOf(findings, 'failing') + countOf(findings, 'warning');
}

const FORMATS: Readonly<Record<Failure['unit'], (value: number) => string>> = {
  share: formatPercent,
  times: (value) => `${formatMeasured(value)} ×`,
  reward: formatMeasured,
};

const THRESHOLDS: typeof FORMATS = {
  share: formatPercent,
  times: (value) => `${formatSetting(value)} ×`,
  reward: formatSetting,
};

export function criterionWords({ worse, warning, failing, unit, window, unless }: Failure): string {
  const threshold = THRESHOLDS[unit];
  const exception = unless === null ? '' : `, unless ${unless.words}`;
  return `Failing ${worse} ${threshold(failing)}, a warning ${worse} ${threshold(warning)}${exception}. Mean of the last ${plural(window, 'update')}.`;
}

/** Present values, seed by seed or as a range. */
export function valueWords({ unit }: Failure, { findings }: Light): string {
  const known = findings.map(({ value }) => value).filter((value) => !Number.isNaN(value));
  const format = FORMATS[unit];
  if (known.length === 0) return 'not measured so far';
  if (known.length > LISTED)
    return `${format(Math.min(...known))} to ${format(Math.max(...known))} over ${known.length} seeds`;
  return joinNames(known.map(format));
}
