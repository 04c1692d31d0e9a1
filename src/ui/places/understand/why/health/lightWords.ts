/** A light in words: its state, its criterion in numbers, and what each seed has now. */
import { countOf, type FailureSign, type Light } from '../../../../../experiment/conclude/health';
import { summarise } from '../../../../../experiment/conclude/statistics';
import { formatMeasured, formatPercent, formatSetting, joinNames, plural } from '../../../../kit/format';

/** Seeds whose values are given one by one; of more, the least and the most. */
const LISTED = 4;

/** “failing 2/2”: with several seeds, how many of those that are known are at least as ill. */
function shortState({ state, seeds }: Light): string {
  const { known, failing, warning } = countsOf(seeds);
  if (known < 2 || state === 'unknown' || state === 'fine') return state;
  return `${state} ${state === 'failing' ? failing : failing + warning}/${known}`;
}

/** State with the mean of the seeds: “fine 12%”. Beyond its bound it is “excused”, by its criterion's exception. */
export function stateAndValue(failure: FailureSign, light: Light): string {
  const { mean } = summarise(light.seeds.map(({ value }) => value));
  const excused = light.state === 'fine' && mean !== null && isBeyond(failure, mean);
  return mean === null
    ? shortState(light)
    : `${excused ? 'excused' : shortState(light)} ${FORMATS[failure.unit](mean)}`;
}

const isBeyond = ({ worse, warning }: FailureSign, value: number): boolean =>
  worse === 'above' ? value > warning : value < warning;

/** Bound up to which a light is fine: “fine to 80%”. */
export const boundWords = ({ worse, warning, unit }: FailureSign): string =>
  `fine ${worse === 'above' ? 'to' : 'from'} ${THRESHOLDS[unit](warning)}`;

/** “failing in 1, warning in 2 of 4 seeds”. */
export function longState({ state, seeds }: Light): string {
  const { known, failing, warning } = countsOf(seeds);
  if (state === 'unknown') return 'not measured so far';
  if (known === 1) return state;
  const parts = [
    ...(failing > 0 ? [`failing in ${failing}`] : []),
    ...(warning > 0 ? [`warning in ${warning}`] : []),
    ...(failing + warning === 0 ? [`fine in ${known}`] : []),
  ];
  return `${parts.join(', ')} of ${known} seeds`;
}

function countsOf(seeds: Light['seeds']) {
  return {
    known: seeds.length - countOf(seeds, 'unknown'),
    failing: countOf(seeds, 'failing'),
    warning: countOf(seeds, 'warning'),
  };
}

const FORMATS: Readonly<Record<FailureSign['unit'], (value: number) => string>> = {
  share: formatPercent,
  times: (value) => `${formatMeasured(value)} ×`,
  reward: formatMeasured,
};

const THRESHOLDS: typeof FORMATS = {
  share: formatPercent,
  times: (value) => `${formatSetting(value)} ×`,
  reward: formatSetting,
};

export function criterionWords({ worse, warning, failing, unit, window, unless }: FailureSign): string {
  const threshold = THRESHOLDS[unit];
  const exception = unless === null ? '' : `, unless ${unless.words}`;
  return `Failing ${worse} ${threshold(failing)}, a warning ${worse} ${threshold(warning)}${exception}. Mean of the last ${plural(window, 'update')}.`;
}

/** Present values, seed by seed or as a range. */
export function valueWords({ unit }: FailureSign, { seeds }: Light): string {
  const known = seeds.map(({ value }) => value).filter((value) => !Number.isNaN(value));
  const format = FORMATS[unit];
  if (known.length === 0) return 'not measured so far';
  if (known.length > LISTED)
    return `${format(Math.min(...known))} to ${format(Math.max(...known))} over ${known.length} seeds`;
  return joinNames(known.map(format));
}
