/** A second setting of a sweep over several populations, and what both together come to before they run. */

import { estimateSeconds } from '../../../experiment/duration';
import type { Experiment } from '../../../experiment/experiment';
import { type Axis, readAxes } from '../../../experiment/grid/axes';
import { cellsOf } from '../../../experiment/grid/cells';
import { valuesAround } from '../../../experiment/grid/offered';
import type { PlacedSetting } from '../../../experiment/settings/setting';
import { asLabError } from '../../../foundation/errors';
import { Choice } from '../../kit/Choice';
import { plural } from '../../kit/format';
import { worldOf } from '../environment';

/** Setting and its values, as typed; no setting where the path is empty. */
export interface Second {
  readonly path: string;
  readonly text: string;
}

export const NOTHING: Second = { path: '', text: '' };

interface Props {
  readonly experiment: Experiment;
  readonly settings: readonly PlacedSetting[];
  /** Path of the first setting. */
  readonly first: string;
  readonly value: Second;
  readonly onChange: (value: Second) => void;
}

export function SecondSetting({ experiment, settings, first, value, onChange }: Props) {
  const choose = (path: string) => {
    const setting = settings.find((one) => one.path === path);
    onChange({ path, text: setting === undefined ? '' : valuesAround(experiment, setting).join(', ') });
  };
  return (
    <>
      <Choice
        place="sweep-field stack"
        label="And"
        testId="sweep-second"
        value={value.path}
        options={[
          ['', 'nothing else'],
          ...settings.filter(({ path }) => path !== first).map(({ path, label }) => [path, label] as const),
        ]}
        onChoose={choose}
      />
      {value.path !== '' && (
        <label className="sweep-field stack">
          Its values
          <input
            className="field"
            data-testid="sweep-second-values"
            value={value.text}
            onChange={({ target }) => onChange({ ...value, text: target.value })}
          />
        </label>
      )}
    </>
  );
}

export interface Asked {
  readonly path: string;
  readonly text: string;
  /** Seeds of each cell; null: as many as the experiment has, or as fit. */
  readonly seeds: number | null;
}

export interface PlannedSweep {
  readonly experiment: Experiment | null;
  /** Axes of a sweep over several populations. */
  readonly axes?: readonly Axis[];
  readonly seeds: number;
  readonly words: string;
}

/** Populations of a sweep, or why there cannot be such. */
export function planGrid(edited: Experiment, { path, text, seeds: asked }: Asked, second: Second): PlannedSweep {
  const seeds = asked ?? edited.seeds;
  const experiment = { ...edited, seeds };
  const lists = [{ path, text }, ...(second.path === '' ? [] : [second])];
  try {
    const axes = readAxes(lists.map((one) => `${one.path}=${listOf(one.text)}`).join(';'));
    const cells = cellsOf(experiment, axes);
    const time = cells.reduce((sum, cell) => {
      const world = worldOf(cell.experiment.environment);
      return sum + (world === null ? 0 : estimateSeconds(cell.experiment, world.environment));
    }, 0);
    const minutes = Math.max(1, Math.round(time / 60));
    const each = `${plural(experiment.arms.length, 'arm')} × ${plural(seeds, 'seed')}`;
    const words = `${plural(cells.length, 'population')} of ${each}, one after the other: about ${plural(minutes, 'minute')} on two processor cores.`;
    return { experiment, axes, seeds, words };
  } catch (cause) {
    return { experiment: null, axes: [], seeds, words: asLabError(cause).message };
  }
}

/** Values as a link has them, however they were parted. */
const listOf = (text: string): string =>
  text
    .split(/[\s,;]+/)
    .filter((value) => value !== '')
    .join(',');
