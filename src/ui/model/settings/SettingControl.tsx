/** A setting of the whole experiment or of its world: a number with its slider, a choice, or a tick. */
import { useId } from 'react';
import type { PlacedSetting, SettingValue } from '../../../experiment/settings/setting';
import { Choice } from '../../kit/Choice';
import { placeLink } from '../place';
import { FlagControl } from './ChoiceControl';
import { Control } from './Control';
import { FolderButton, FolderProblem } from './FolderButton';
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
  if (setting.type === 'boolean') return <FlagControl setting={setting} value={value === true} onChange={onChange} />;
  // Files are settings of arms alone.
  if (setting.type !== 'choice') return null;
  const { choices, orHash = false } = setting;
  const opened = choices.includes(String(value)) ? [] : [String(value)];
  const control = (
    <Control
      label={setting.label}
      id={id}
      help={setting.help}
      beside={
        <>
          <Choice
            id={id}
            testId={`setting-${setting.path}`}
            value={String(value)}
            options={[...choices, ...opened].map((choice) => [choice, nameOfChoice(setting, choice)])}
            onChoose={onChange}
          />
          {orHash && (
            <>
              <FolderButton words="A folder…" />
              <a className="button button-quiet" href={placeLink('policies', 'tune')}>
                Teach a text
              </a>
            </>
          )}
        </>
      }
    />
  );
  if (!orHash) return control;
  return (
    <div>
      {control}
      <FolderProblem />
    </div>
  );
}
