/** A setting with a few named choices, or with two: a list or a box to tick, and a sentence of help. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { BooleanSetting, ChoiceSetting } from '../../experiment/setting';
import { Choice } from '../kit/Choice';
import { nameOfChoice } from './valueNames';

interface Props<S, V> {
  readonly setting: S & { readonly path: string };
  /** null when the arms it concerns differ. */
  readonly value: V | null;
  readonly note?: ReactNode;
  readonly idle?: boolean;
  readonly onChange: (value: V) => void;
}

export function ChoiceControl({ setting, value, note, idle = false, onChange }: Props<ChoiceSetting, string>) {
  const id = useId();
  return (
    <div className={`control${idle ? ' control-idle' : ''}`}>
      <div className="control-head">
        <label className="control-label" htmlFor={id}>
          {setting.label}
        </label>
      </div>
      <Choice
        id={id}
        className="field control-choice"
        aria-describedby={`${id}-help`}
        testId={`setting-${setting.path}`}
        value={value}
        unset="the arms differ"
        options={setting.choices.map((choice) => [choice, nameOfChoice(setting, choice)])}
        onChoose={onChange}
      />
      <p id={`${id}-help`} className="control-help small soft">
        {setting.help} {note}
      </p>
    </div>
  );
}

export function FlagControl({ setting, value, note, idle = false, onChange }: Props<BooleanSetting, boolean>) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = value === null;
  }, [value]);
  return (
    <div className={`control${idle ? ' control-idle' : ''}`}>
      <div className="control-head">
        <label className="control-label" htmlFor={id}>
          {setting.label}
        </label>
        <input
          ref={box}
          id={id}
          type="checkbox"
          aria-describedby={`${id}-help`}
          data-testid={`setting-${setting.path}`}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      </div>
      <p id={`${id}-help`} className="control-help small soft">
        {setting.help} {note}
      </p>
    </div>
  );
}
