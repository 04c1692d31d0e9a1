/**
 * Races of GPU and CPU that a browser remembers, so that a shape is raced once for each build of the lab. The page keeps the list.
 */
import { trainedMembers } from '../../../experiment/arm/policyFiles';
import type { Experiment } from '../../../experiment/experiment';
import { versionInWords } from '../../../experiment/provenance';
import type { RaceNumbers } from '../../protocol';

/** Races kept, the newest first. */
const MOST = 20;

interface Remembered {
  /** Browser, build and shape to which a race's numbers belong, beside the devices. */
  readonly of: string;
  readonly numbers: RaceNumbers;
}

const keyOf = (experiment: Experiment): string => {
  const { environment, policy, batch, arms } = experiment;
  const epochs = Math.max(...arms.map(({ innerEpochs }) => innerEpochs));
  const shape = [environment, policy, batch, trainedMembers(experiment), epochs];
  return JSON.stringify([globalThis.navigator?.userAgent, versionInWords(), shape]);
};

/** Remembered races; entries of another form are left out. */
function recordsIn(remembered: unknown): Remembered[] {
  const isNumber = (value: unknown): boolean => typeof value === 'number' && value >= 0;
  return (Array.isArray(remembered) ? (remembered as (Partial<Remembered> | null)[]) : []).filter(
    (one): one is Remembered =>
      typeof one?.of === 'string' && isNumber(one.numbers?.gpuSeconds) && isNumber(one.numbers?.cpuSeconds),
  );
}

export function racesOf(remembered: unknown, experiment: Experiment): RaceNumbers[] {
  const key = keyOf(experiment);
  return recordsIn(remembered).flatMap(({ of, numbers }) => (of === key ? [numbers] : []));
}

/** The list with a race more, to be kept. */
export function withRace(remembered: unknown, experiment: Experiment, numbers: RaceNumbers): readonly Remembered[] {
  const of = keyOf(experiment);
  const isSame = (one: Remembered) =>
    one.of === of && one.numbers.adapter === numbers.adapter && one.numbers.cpu === numbers.cpu;
  return [{ of, numbers }, ...recordsIn(remembered).filter((one) => !isSame(one))].slice(0, MOST);
}
