/** What can be changed while training, for one arm or for all of them. */
import { useState } from 'react';
import { type ArmSettingPath, armSettings, getArmSetting } from '../../experiment/experiment';
import type { NumberSetting } from '../../experiment/setting';
import { armColours } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import { setInArm } from '../arms/edits';
import { formatSetting, joinNames } from '../format';
import { useLab, useLabState } from '../useLab';
import { NumberControl } from './NumberControl';
import './controls-panel.css';

const FIRST: readonly ArmSettingPath[] = [
  'ce.observation',
  'learningRate',
  'clipLow',
  'clipHigh',
  'entropyCoefficient',
  'klCoefficient',
  'temperature',
  'innerEpochs',
  'weightDecay',
  'maxGradNorm',
];
const MORE: readonly ArmSettingPath[] = ['beta1', 'beta2', 'epsilon', 'advantageEpsilon'];
const EVERY = '*';

export function Hyperparameters() {
  const [chosen, setScope] = useState(EVERY);
  const arms = useLabState((state) => state.edited.arms);
  const live = useLabState(({ phase }) => phase === 'running' || phase === 'paused' || phase === 'ready');
  const scope = arms.some(({ id }) => id === chosen) ? chosen : EVERY;
  const colours = armColours(arms);
  return (
    <section className="panel" aria-labelledby="hyperparameters">
      <div className="panel-head">
        <h2 id="hyperparameters">Hyperparameters</h2>
        <fieldset className="scope">
          <legend className="hidden-text">Which arms the settings below concern</legend>
          {[{ id: EVERY, name: 'All arms' }, ...arms].map(({ id, name }) => (
            <label key={id} className="scope-choice">
              <input type="radio" name="scope" value={id} checked={scope === id} onChange={() => setScope(id)} />
              {id !== EVERY && <ArmMark colour={colours.get(id)} />}
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <p className="small soft panel-note">
          {live ? 'Changes act from the next update, without a restart.' : 'These can also be changed while training.'}
        </p>
      </div>
      <div className="controls">
        {FIRST.map((path) => (
          <ArmControl key={path} path={path} scope={scope} />
        ))}
      </div>
      <details className="panel-more">
        <summary>Optimiser and advantage, in detail</summary>
        <div className="controls">
          {MORE.map((path) => (
            <ArmControl key={path} path={path} scope={scope} />
          ))}
        </div>
      </details>
    </section>
  );
}

function ArmControl({ path, scope }: { path: ArmSettingPath; scope: string }) {
  const lab = useLab();
  const arms = useLabState((state) => state.edited.arms);
  const setting = armSettings.find((candidate) => candidate.path === path);
  if (setting === undefined) return null;
  // For all arms, a loss weight moves only those that have this loss: the table decides which do.
  const isWeight = path === 'ce.observation';
  const concerned = arms.filter((arm) =>
    scope === EVERY ? !isWeight || Number(getArmSetting(arm, path)) > 0 : arm.id === scope,
  );
  const values = concerned.map((arm) => Number(getArmSetting(arm, path)));
  const [value] = values;
  const same = values.every((other) => other === value);
  const change = (to: number) => {
    const edited = lab.store.getState().edited;
    lab.editor.edit(concerned.reduce((experiment, { id }) => setInArm(experiment, id, path, to), edited));
  };
  const note =
    isWeight && scope === EVERY
      ? concerned.length === 0
        ? 'No arm predicts observations; press a cell in the table to add it.'
        : `Here: ${joinNames(concerned.map(({ name }) => name))}.`
      : undefined;
  return (
    <NumberControl
      setting={setting as NumberSetting & { path: string }}
      value={same && value !== undefined ? value : null}
      differing={values.length === 0 ? '–' : [...new Set(values)].map(formatSetting).join(', ')}
      disabled={concerned.length === 0}
      onChange={change}
      {...(note === undefined ? {} : { note })}
    />
  );
}
