/** Fields of a change: the arm, the setting, and its value. */
import { type KeyboardEvent, useState } from 'react';
import { type ArmSettingPath, findArmSetting, liveSettings } from '../../../../experiment/experiment';
import { isNumberSetting, type SettingValue } from '../../../../experiment/settings/setting';
import { ARM_SECTIONS } from '../../../../experiment/settings/tables';
import { Choice } from '../../../kit/Choice';
import { NumberField } from '../../../kit/NumberField';
import { foundBy } from '../../../model/settings/search';
import { nameOfChoice } from '../../../model/settings/valueNames';

/** Settings in which phases and branches differ most of the time. */
const USUAL: readonly ArmSettingPath[] = ['objective', 'imitation', 'ce.observation', 'learningRate', 'temperature'];

const sections = ARM_SECTIONS.map(({ title, table }) => ({
  title,
  paths: liveSettings.filter((path) => Object.hasOwn(table, path.split('.')[0] ?? '') && !USUAL.includes(path)),
}));

const optionOf = (path: ArmSettingPath) => [path, findArmSetting(path)?.label ?? path] as const;

interface UpdateFieldProps {
  readonly id: string;
  readonly value: number | null;
  readonly first: number;
  readonly last: number;
  readonly placeholder?: string;
  readonly onChange: (update: number) => void;
}

export function UpdateField({ id, value, first, last, placeholder = '', onChange }: UpdateFieldProps) {
  return (
    <div className="plan-field stack close fit shrinks">
      <label htmlFor={id}>From update</label>
      <NumberField
        label="From update"
        id={id}
        value={value}
        min={first}
        max={last}
        integer
        placeholder={placeholder}
        testId={id}
        onChange={onChange}
      />
    </div>
  );
}

export interface GivenSetting {
  readonly setting: ArmSettingPath;
  /** Value; null while the setting's own stands. */
  readonly given: SettingValue | null;
}

interface SettingFieldsProps {
  /** Beginning of the fields' ids: `plan` gives `plan-setting` and `plan-value`. */
  readonly id: string;
  readonly setting: ArmSettingPath;
  readonly value: SettingValue | null;
  /** Called with another setting, which comes without a value, or with a value. */
  readonly onChange: (given: GivenSetting) => void;
}

/** Fields of a change: a search of settings, the choice of one, and its value. */
export function SettingFields({ id, setting, value, onChange }: SettingFieldsProps) {
  const [text, setText] = useState('');
  const found = foundBy(text);
  const isFound = (path: ArmSettingPath): boolean => found === null || found(findArmSetting(path));
  const all = found === null ? [] : liveSettings.filter(isFound);
  // One whose name begins so goes before the others.
  const first = all.find((path) => optionOf(path)[1].toLowerCase().startsWith(text.trim().toLowerCase())) ?? all[0];
  // The chosen setting is always among those offered.
  const isOffered = (path: ArmSettingPath): boolean => path === setting || isFound(path);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && first !== undefined) onChange({ setting: first, given: null });
    if (event.key !== 'Escape' || text === '') return;
    event.stopPropagation();
    setText('');
  };
  return (
    <>
      <div className="plan-field plan-search stack close fit shrinks">
        <label htmlFor={`${id}-search`}>Find a setting</label>
        <input
          id={`${id}-search`}
          type="search"
          className="field"
          data-testid={`${id}-search`}
          placeholder="name, help or key"
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={press}
        />
        <span className="small soft" role="status">
          {found === null
            ? ''
            : first === undefined
              ? 'No setting has all of these words.'
              : `Enter: ${optionOf(first)[1]}`}
        </span>
      </div>
      <Choice<ArmSettingPath>
        place="plan-field stack close fit shrinks"
        label="Setting"
        testId={`${id}-setting`}
        value={setting}
        options={[
          ...USUAL.filter(isOffered).map(optionOf),
          ...sections.flatMap(({ title, paths }) => {
            const options = paths.filter(isOffered).map(optionOf);
            return options.length === 0 ? [] : [{ title, options }];
          }),
        ]}
        onChoose={(path) => onChange({ setting: path, given: null })}
      />
      <ValueField
        id={`${id}-value`}
        setting={setting}
        value={value}
        onChange={(given) => onChange({ setting, given })}
      />
    </>
  );
}

interface ValueFieldProps {
  readonly id: string;
  /** A setting, or a number of a user's loss. */
  readonly setting: string;
  readonly value: SettingValue | null;
  readonly onChange: (value: SettingValue) => void;
}

/** Field of a value; nothing for a text, which is written at its desk. */
export function ValueField({ id, setting: path, value, onChange }: ValueFieldProps) {
  const setting = findArmSetting(path);
  if (setting === undefined && typeof value !== 'number') return null;
  return (
    <div className="plan-field plan-value stack close fit shrinks">
      <label htmlFor={id}>Value</label>
      {setting === undefined || isNumberSetting(setting) ? (
        <NumberField
          label="Value"
          id={id}
          value={value === null ? null : Number(value)}
          min={setting?.min ?? -1e9}
          max={setting?.max ?? 1e9}
          integer={setting?.type === 'integer'}
          testId={id}
          onChange={onChange}
        />
      ) : setting.type === 'choice' ? (
        <Choice
          id={id}
          testId={id}
          value={String(value ?? setting.default)}
          options={setting.choices.map((choice) => [choice, nameOfChoice(setting, choice)])}
          onChoose={onChange}
        />
      ) : (
        <input
          type="checkbox"
          id={id}
          data-testid={id}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )}
    </div>
  );
}
