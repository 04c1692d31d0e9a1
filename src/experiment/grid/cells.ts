/**
 * Cells of a grid: the experiment once for every combination of the axes' values. Each is an experiment of its own, the one
 * that its link alone would give, so that its numbers are those of the ordinary run with these settings, bit for bit.
 */
import { asLabError, excerpt, LabError } from '../../foundation/errors';
import { lossPath } from '../arm/ownLosses';
import { isFixed } from '../arm/policyFiles';
import { type Arm, type Experiment, experimentSettings, findArmSetting, getArmPart } from '../experiment';
import { decodeLink, encodeLink } from '../link/link';
import { withFields, withoutLink } from '../link/linkFields';
import { isWorldKey } from '../ownWorld';
import { EVERY_ARM } from '../timeline';
import type { Axis } from './axes';

export interface Cell {
  /** Place in the order of training: the last axis changes fastest. */
  readonly index: number;
  /** Values of the cell, one for each axis. */
  readonly values: readonly string[];
  /** “batch.groupSize = 4, policy.width = 32”. */
  readonly name: string;
  readonly experiment: Experiment;
}

/** All cells, each checked. Throws LabError that names the combination that cannot run. */
export function cellsOf(experiment: Experiment, axes: readonly Axis[]): Cell[] {
  const fields = axes.map(({ key }) => fieldsOf(experiment, key));
  const fragment = encodeLink(experiment);
  const cells = combinations(axes).map((values, index): Cell => {
    const name = axes.map(({ key }, axis) => `${key} = ${values[axis]}`).join(', ');
    const set = fields.flatMap((keys, axis) => keys.map((key) => [key, values[axis] ?? ''] as const));
    return { index, values, name, experiment: experimentWith(fragment, set, name) };
  });
  const byLink = new Map<string, Cell>();
  for (const cell of cells) {
    const link = encodeLink(cell.experiment);
    const same = byLink.get(link);
    if (same !== undefined) {
      throw refusal(`${same.name} and ${cell.name} are the same experiment.`, 'Give each value once.');
    }
    byLink.set(link, cell);
  }
  return cells;
}

function combinations(axes: readonly Axis[]): string[][] {
  return axes.reduce<string[][]>(
    (cells, { values }) => cells.flatMap((cell) => values.map((value) => [...cell, value])),
    [[]],
  );
}

function experimentWith(fragment: string, set: readonly (readonly [string, string])[], name: string): Experiment {
  try {
    return decodeLink(withFields(fragment, set));
  } catch (cause) {
    const [what, advice] = withoutLink(asLabError(cause));
    throw new LabError('invalid-experiment', `With ${name}: ${what}`, advice, { cause });
  }
}

const refusal = (what: string, advice: string): LabError => new LabError('invalid-experiment', what, advice);

/** Keys of the link's fields that an axis sets: one, or that of every arm that trains. Throws LabError for what cannot be swept. */
function fieldsOf(experiment: Experiment, key: string): string[] {
  if (key === 'seeds') {
    throw refusal(
      'Seeds are what each combination is repeated over.',
      'Say how many with --seeds, or in the experiment.',
    );
  }
  if (key === 'environment' || experimentSettings.some(({ path }) => path === key)) return [key];
  if (key.startsWith('environment.') && !isWorldKey(key.slice('environment.'.length))) return [key];
  const [, id, path = key] = /^arms\.([^.]+)\.(.+)$/.exec(key) ?? [];
  const trained = experiment.arms.filter((arm) => !isFixed(arm));
  const named = trained.filter((arm) => id === undefined || id === EVERY_ARM || arm.id === id);
  const of = named.filter((arm) => hasSetting(arm, path));
  if (id === undefined && of.length > 0 && trained.length > 1) {
    const arms = trained.map((arm) => arm.id).join(', ');
    throw refusal(
      `${excerpt(key)} is a setting of each arm, and there are several: ${arms}.`,
      `Write arms.${EVERY_ARM}.${key} for all of them, or arms.${trained[0]?.id}.${key} for one.`,
    );
  }
  if (of.length > 0 && of.length === named.length) return of.map((arm) => `arms.${arm.id}.${path}`);
  if (id !== undefined && named.length === 0) {
    throw refusal(
      `There is no arm “${excerpt(id)}” that trains.`,
      `Arms that do are: ${trained.map((arm) => arm.id).join(', ')}.`,
    );
  }
  throw refusal(
    `There is no setting “${excerpt(key)}” to sweep.`,
    'Name one as links do, such as batch.groupSize, policy.width, environment.size or arms.*.learningRate.',
  );
}

/** True for a setting of an arm or a number of its own losses; texts of losses are no values. */
function hasSetting(arm: Arm, path: string): boolean {
  const ofLoss = lossPath(path);
  if (ofLoss === null) return findArmSetting(path) !== undefined;
  return ofLoss.part.kind !== 'text' && getArmPart(arm, path) !== undefined;
}
