/**
 * Many values of one setting, or of two: which, and with how many seeds. Numbers of an arm run together; what all arms share
 * runs one population after the other.
 */

import { useState } from 'react';
import { liveNumbers, presentValue } from '../../../experiment/arm/ownLossSettings';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { isRelevant } from '../../../experiment/arm/relevance';
import { estimateSeconds } from '../../../experiment/duration';
import type { Arm, Experiment } from '../../../experiment/experiment';
import { ownValue, sharedSettings, valuesAround } from '../../../experiment/grid/offered';
import { findSweepable, LEAST_DRAWN, readValues, sweepOf, usualValues } from '../../../experiment/grid/together';
import { EXPERIMENT_TABLE, LIMITS } from '../../../experiment/settings/tables';
import { asLabError } from '../../../foundation/errors';
import { Button } from '../../kit/Button';
import { Choice } from '../../kit/Choice';
import { Dialog } from '../../kit/Dialog';
import { plural } from '../../kit/format';
import { worldOf } from '../environment';
import { durationWords } from '../experimentWords';
import { goTo } from '../place';
import { useLab } from '../useLab';
import { type Asked, NOTHING, type PlannedSweep, planGrid, type Second, SecondSetting } from './GridFields';

const LAMBDA = 'ce.observation';

/** `arm` is the one that is proposed. */
export function SweepDialog({ arm: proposed, onClose }: { arm: Arm; onClose: () => void }) {
  const lab = useLab();
  const [experiment] = useState(() => lab.store.getState().edited);
  const [arm, setArm] = useState(proposed);
  const [path, setPath] = useState<string>(LAMBDA);
  const [text, setText] = useState(() => usualValues(findSweepable(arm, LAMBDA), arm).join(', '));
  const [seeds, setSeeds] = useState<number | null>(null);
  const [second, setSecond] = useState<Second>(NOTHING);
  const shared = sharedSettings(experiment);
  const isShared = shared.some((setting) => setting.path === path);
  const asked = { path, text, seeds };
  const planned: PlannedSweep = isShared ? planGrid(experiment, asked, second) : plan(experiment, arm, asked);
  const environment = worldOf(experiment.environment)?.environment;
  const offered = liveNumbers(arm).filter(
    (setting) => setting.path === LAMBDA || isRelevant(arm, setting.path, environment),
  );
  const run = async () => {
    if (planned.experiment === null) return;
    if (planned.axes !== undefined) {
      const grid = await lab.grid();
      grid.begin(planned.experiment, planned.axes);
    } else {
      lab.editor.reset('values');
      lab.editor.replace(planned.experiment, null);
      lab.editor.run();
    }
    onClose();
    goTo('sure');
  };
  return (
    <Dialog title={isShared ? 'Sweep a setting' : `Sweep a setting of ${arm.name}`} isQuestion onClose={onClose}>
      <p>
        {isShared
          ? 'Trains the whole experiment, all its arms, once for every value: one population after the other, each kept as a run. '
          : 'Trains this arm once for every value, all together, from the same seeds on the same tasks. '}
        Success is drawn against the value. The arms on screen now make way; their run stays among the kept ones.
      </p>
      <div className="sweep-fields stack">
        {!isShared && (
          <Choice
            place="sweep-field stack"
            label="Arm"
            testId="sweep-arm"
            value={arm.id}
            options={experiment.arms.filter((one) => !isFixed(one)).map(({ id, name }) => [id, name])}
            onChoose={(id) => {
              const chosen = experiment.arms.find((one) => one.id === id) ?? proposed;
              setArm(chosen);
              setPath(LAMBDA);
              setText(usualValues(findSweepable(chosen, LAMBDA), chosen).join(', '));
            }}
          />
        )}
        <Choice
          place="sweep-field stack"
          label="Setting"
          testId="sweep-setting"
          value={path}
          options={[
            { title: 'Of the arm: all values together', options: offered.map(({ path: one, label }) => [one, label]) },
            { title: 'Of all arms: one after the other', options: shared.map(({ path: one, label }) => [one, label]) },
          ]}
          onChoose={(chosen) => {
            setPath(chosen);
            setText(usualText(experiment, arm, chosen));
          }}
        />
        <label className="sweep-field stack">
          Values{' '}
          <span className="small soft">
            ({isShared ? `now ${ownValue(experiment, path)}` : `this arm has ${presentValue(arm, path)}`})
          </span>
          <input
            className="field"
            data-testid="sweep-values"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        {isShared && (
          <SecondSetting experiment={experiment} settings={shared} first={path} value={second} onChange={setSecond} />
        )}
        <label className="sweep-field stack">
          Seeds
          <input
            className="field"
            type="number"
            min={1}
            max={EXPERIMENT_TABLE.seeds.max}
            data-testid="sweep-seeds"
            value={planned.seeds}
            onChange={({ target }) => setSeeds(Math.max(1, Math.floor(target.valueAsNumber || 1)))}
          />
        </label>
      </div>
      <p role="status" data-testid="sweep-plan">
        {planned.words}
      </p>
      <div className="dialog-buttons">
        <Button
          className="button-primary"
          data-testid="sweep-run"
          disabled={planned.experiment === null}
          onClick={() => void run()}
        >
          Run the sweep
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

const usualText = (experiment: Experiment, arm: Arm, path: string): string => {
  const shared = sharedSettings(experiment).find((setting) => setting.path === path);
  const values = shared === undefined ? usualValues(findSweepable(arm, path), arm) : valuesAround(experiment, shared);
  return values.join(', ');
};

function plan(experiment: Experiment, arm: Arm, { path, text, seeds: asked }: Asked): PlannedSweep {
  let seeds = asked ?? experiment.seeds;
  try {
    const values = readValues(text);
    const most = Math.floor(LIMITS.members / values.length);
    if (asked === null) seeds = Math.min(seeds, most);
    const fewer = seeds < experiment.seeds ? `, of the experiment’s ${experiment.seeds}` : '';
    const undrawn = values.length < LEAST_DRAWN ? ` Success is drawn against ${LEAST_DRAWN} values or more.` : '';
    const swept = sweepOf({ ...experiment, seeds }, arm.id, path, values);
    const world = worldOf(swept.environment);
    const time =
      world === null ? '' : `, ${durationWords(estimateSeconds(swept, world.environment))} on two processor cores`;
    return {
      experiment: swept,
      seeds,
      words: `${plural(values.length, 'value')} × ${plural(seeds, 'seed')}${fewer}: ${plural(values.length * seeds, 'policy', 'policies')}, trained together${time}.${undrawn}`,
    };
  } catch (cause) {
    return { experiment: null, seeds, words: asLabError(cause).message };
  }
}
