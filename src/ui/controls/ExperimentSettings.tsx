/** What the population is made of. While a run has progress, most of these wait for a restart, and say why. */
import { useId } from 'react';
import { findEnvironment } from '../../environments/registry';
import { environmentSettings } from '../../experiment/environmentSettings';
import { type Experiment, experimentSettings } from '../../experiment/experiment';
import { type PlacedSetting, readSetting, writeSetting } from '../../experiment/setting';
import { useLab, useLabState } from '../useLab';
import { NumberControl } from './NumberControl';
import { TitleField } from './TitleField';

type Value = number | boolean | string;

export function ExperimentSettings() {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  const definition = findEnvironment(edited.environment.id);
  const edit = (change: (experiment: Experiment) => Experiment) => lab.editor.edit(change(lab.store.getState().edited));
  return (
    <section className="panel" aria-labelledby="experiment-settings">
      <div className="panel-head">
        <h2 id="experiment-settings">Experiment</h2>
        <TitleField />
        <p className="small soft panel-note">
          During a run, all but the number of updates need a restart; you are asked first.
        </p>
      </div>
      <div className="controls">
        {experimentSettings.map((setting) => (
          <SettingControl
            key={setting.path}
            setting={setting}
            value={readSetting(edited, setting.path) ?? setting.default}
            onChange={(value) => edit((experiment) => writeSetting(experiment, setting.path, value))}
          />
        ))}
        {(definition === undefined ? [] : environmentSettings(definition)).map((setting) => (
          <SettingControl
            key={setting.path}
            setting={setting}
            value={edited.environment.settings[setting.key] ?? setting.default}
            onChange={(value) => edit((experiment) => withEnvironmentSetting(experiment, setting.key, value))}
          />
        ))}
      </div>
    </section>
  );
}

function withEnvironmentSetting(experiment: Experiment, key: string, value: Value): Experiment {
  const { id, settings } = experiment.environment;
  return { ...experiment, environment: { id, settings: { ...settings, [key]: value } } };
}

interface Props {
  readonly setting: PlacedSetting;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function SettingControl({ setting, value, onChange }: Props) {
  const id = useId();
  if (setting.type === 'integer' || setting.type === 'number') {
    return <NumberControl setting={setting} value={Number(value)} onChange={onChange} />;
  }
  return (
    <div className="control">
      <div className="control-head">
        <label className="control-label" htmlFor={id}>
          {setting.label}
        </label>
        {setting.type === 'choice' ? (
          <select
            id={id}
            className="field"
            data-testid={`setting-${setting.path}`}
            value={String(value)}
            onChange={({ target }) => onChange(target.value)}
          >
            {setting.choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            type="checkbox"
            data-testid={`setting-${setting.path}`}
            checked={value === true}
            onChange={({ target }) => onChange(target.checked)}
          />
        )}
      </div>
      <p className="control-help small soft">{setting.help}</p>
    </div>
  );
}
