/** A setting of the whole experiment or of its world: a number with its slider, a choice, or a tick. */
import { useId } from 'react';
import type { PlacedSetting, SettingValue } from '../../experiment/setting';
import { NumberControl } from './NumberControl';
import { nameOfChoice } from './valueNames';

interface Props {
  readonly setting: PlacedSetting;
  readonly value: SettingValue;
  readonly onChange: (value: SettingValue) => void;
}

export function SettingControl({ setting, value, onChange }: Props) {
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
              <option key={choice} value={choice}>
                {nameOfChoice(setting, choice)}
              </option>
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
