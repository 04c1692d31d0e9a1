/** A number setting: its name, a field for any valid number, a slider over the usual range, and a sentence of help. */
import { type ReactNode, useId } from 'react';
import type { NumberSetting } from '../../../experiment/settings/setting';
import { formatSetting } from '../../kit/format';
import { NumberField } from '../../kit/NumberField';
import { Control, withNote } from './Control';
import { fromSlider, sliderRange, toSlider } from './slider';

interface Props {
  readonly setting: NumberSetting & { readonly path: string };
  /** Value; null when the arms that the control concerns differ. */
  readonly value: number | null;
  /** Text shown while the arms differ. */
  readonly differing?: string;
  readonly disabled?: boolean;
  readonly note?: ReactNode;
  /** True if the setting has no effect at present. */
  readonly idle?: boolean;
  /** True for one line among the lab's live numbers; help comes when one points at the name. */
  readonly isLive?: boolean;
  readonly onChange: (value: number) => void;
}

export function NumberControl(props: Props) {
  const {
    setting,
    value,
    differing = 'differ',
    disabled = false,
    idle = false,
    isLive = false,
    note,
    onChange,
  } = props;
  const id = useId();
  const help = isLive ? '' : setting.help;
  const hasHelp = help !== '' || note !== undefined;
  const helpId = hasHelp ? `${id}-help` : undefined;
  const range = sliderRange(setting);
  const shown = value ?? setting.default;
  return (
    <Control
      {...{ id, idle, isLive }}
      label={setting.label}
      hint={isLive ? setting.help : undefined}
      help={hasHelp ? withNote(help, note) : null}
      beside={
        <NumberField
          label={setting.label}
          id={id}
          describedBy={helpId}
          value={value}
          placeholder={value === null ? differing : ''}
          min={setting.min}
          max={setting.max}
          integer={setting.type === 'integer'}
          disabled={disabled}
          testId={`${isLive ? 'live' : 'setting'}-${setting.path}`}
          onChange={onChange}
        />
      }
    >
      <input
        type="range"
        className={value === null ? 'slider slider-differing' : 'slider'}
        aria-label={setting.label}
        aria-describedby={helpId}
        aria-valuetext={value === null ? 'the arms differ' : formatSetting(shown)}
        data-testid={`${isLive ? 'live-slider' : 'slider'}-${setting.path}`}
        disabled={disabled}
        {...range}
        value={toSlider(setting, shown)}
        onChange={({ target }) => onChange(fromSlider(setting, Number(target.value)))}
      />
    </Control>
  );
}
