/** A setting of the whole experiment or of its world: a number with its slider, a choice, or a tick. */
import { useId } from 'react';
import type { PlacedSetting, SettingValue } from '../../experiment/setting';
import { Choice } from '../kit/Choice';
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
          <Choice
            id={id}
            testId={`setting-${setting.path}`}
            value={String(value)}
            options={setting.choices.map((choice) => [choice, nameOfChoice(setting, choice)])}
            onChoose={onChange}
          />
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
