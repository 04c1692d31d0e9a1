/** A setting with a few named choices, or with two: a list or a box to tick, and a sentence of help. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { BooleanSetting, ChoiceSetting } from '../../../experiment/settings/setting';
import { Choice } from '../../kit/Choice';
import { Control, withNote } from './Control';
import { nameOfChoice } from './valueNames';

interface Props<S, V> {
  readonly setting: S & { readonly path: string };
  /** Value; null when the arms that the control concerns differ. */
  readonly value: V | null;
  readonly note?: ReactNode;
  readonly idle?: boolean;
  readonly onChange: (value: V) => void;
}

export function ChoiceControl({ setting, value, note, idle = false, onChange }: Props<ChoiceSetting, string>) {
  const id = useId();
  return (
    <Control label={setting.label} id={id} help={withNote(setting.help, note)} idle={idle}>
      <Choice
        id={id}
        className="field control-choice full"
        aria-describedby={`${id}-help`}
        testId={`setting-${setting.path}`}
        value={value}
        unset="the arms differ"
        options={setting.choices.map((choice) => [choice, nameOfChoice(setting, choice)])}
        onChoose={onChange}
      />
    </Control>
  );
}

export function FlagControl({ setting, value, note, idle = false, onChange }: Props<BooleanSetting, boolean>) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = value === null;
  }, [value]);
  return (
    <Control
      label={setting.label}
      id={id}
      help={withNote(setting.help, note)}
      idle={idle}
      beside={
        <input
          ref={box}
          id={id}
          type="checkbox"
          aria-describedby={`${id}-help`}
          data-testid={`setting-${setting.path}`}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      }
    />
  );
}
