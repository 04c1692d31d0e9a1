/** A number setting: its name, a field for any valid number, a slider over the usual range, and a sentence of help. */
import { type ReactNode, useId } from 'react';
import type { NumberSetting } from '../../../experiment/settings/setting';
import { formatSetting } from '../../kit/format';
import { NumberField } from '../../kit/NumberField';
import { withTerms } from '../../kit/Term';
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

export function NumberControl({
  setting,
  value,
  differing,
  disabled = false,
  idle = false,
  isLive = false,
  note,
  onChange,
}: Props) {
  const fieldId = useId();
  const help = isLive ? '' : setting.help;
  const hasHelp = help !== '' || note !== undefined;
  const ids = isLive ? 'live' : 'setting';
  const helpId = hasHelp ? `${fieldId}-help` : undefined;
  const range = sliderRange(setting);
  const shown = value ?? setting.default;
  return (
    <div className={`control${idle ? ' control-idle' : ''}${isLive ? ' control-live' : ''} shrinks`}>
      <div className="control-head between tall">
        <label htmlFor={fieldId} className="control-label small" title={isLive ? setting.help : undefined}>
          {setting.label}
        </label>
        <NumberField
          label={setting.label}
          id={fieldId}
          describedBy={helpId}
          value={value}
          placeholder={value === null ? (differing ?? 'differ') : ''}
          min={setting.min}
          max={setting.max}
          integer={setting.type === 'integer'}
          disabled={disabled}
          testId={`${ids}-${setting.path}`}
          onChange={onChange}
        />
      </div>
      <input
        type="range"
        className={value === null ? 'slider slider-differing' : 'slider'}
        aria-label={setting.label}
        aria-describedby={helpId}
        aria-valuetext={value === null ? 'the arms differ' : formatSetting(shown)}
        data-testid={`${isLive ? 'live-slider' : 'slider'}-${setting.path}`}
        disabled={disabled}
        min={range.min}
        max={range.max}
        step={range.step}
        value={toSlider(setting, shown)}
        onChange={({ target }) => onChange(fromSlider(setting, Number(target.value)))}
      />
      {hasHelp && (
        <p id={helpId} className="control-help small soft tall">
          {withTerms(help)} {note}
        </p>
      )}
    </div>
  );
}
