/**
 * Plans a change of a setting for a later update, before a run begins: phases of an experiment, such as imitation first and
 * reinforcement after it, or another objective from some update on.
 */
import { useState } from 'react';
import { type ArmSettingPath, findArmSetting, getArmSetting, liveSettings } from '../../experiment/experiment';
import { isNumberSetting, type SettingValue } from '../../experiment/setting';
import { ARM_SECTIONS } from '../../experiment/settings';
import { EVERY_ARM, recordChanges } from '../../experiment/timeline';
import { nameOfChoice } from '../controls/valueNames';
import { Choice } from '../kit/Choice';
import { NumberField } from '../NumberField';
import { useLab, useLabState } from '../useLab';

/** What phases differ in, most of the time. */
const USUAL: readonly ArmSettingPath[] = ['objective', 'imitation', 'ce.observation', 'learningRate', 'temperature'];

const sections = ARM_SECTIONS.map(({ title, table }) => ({
  title,
  paths: liveSettings.filter((path) => Object.hasOwn(table, path.split('.')[0] ?? '') && !USUAL.includes(path)),
}));

const labelOf = (path: ArmSettingPath): string => findArmSetting(path)?.label ?? path;

export function PlanChange() {
  const lab = useLab();
  const { arms, updates } = useLabState((state) => state.edited);
  const [update, setUpdate] = useState<number | null>(null);
  const [chosen, setArm] = useState(EVERY_ARM);
  const [setting, setSetting] = useState<ArmSettingPath>('objective');
  const [given, setGiven] = useState<SettingValue | null>(null);
  const arm = arms.some(({ id }) => id === chosen) ? chosen : EVERY_ARM;
  const at = Math.min(update ?? Math.floor(updates / 2), Math.max(1, updates - 1));
  const present = arms.find(({ id }) => arm === EVERY_ARM || id === arm);
  const value = given ?? (present === undefined ? null : getArmSetting(present, setting));
  const plan = () => {
    if (value === null) return;
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, timeline: recordChanges(edited.timeline, [{ update: at, arm, setting, value }]) });
    setGiven(null);
  };
  return (
    <details className="plan-change" data-testid="plan-change">
      <summary>Plan a change</summary>
      <div className="plan-fields">
        <div className="plan-field">
          <label htmlFor="plan-update">From update</label>
          <NumberField
            label="From update"
            id="plan-update"
            value={at}
            min={1}
            max={Math.max(1, updates - 1)}
            integer
            testId="plan-update"
            onChange={setUpdate}
          />
        </div>
        <Choice
          place="plan-field"
          label="Arm"
          testId="plan-arm"
          value={arm}
          options={[[EVERY_ARM, 'All arms'], ...arms.map(({ id, name }) => [id, name] as const)]}
          onChoose={setArm}
        />
        <Choice<ArmSettingPath>
          place="plan-field"
          label="Setting"
          testId="plan-setting"
          value={setting}
          options={[
            ...USUAL.map(optionOf),
            ...sections.map(({ title, paths }) => ({ title, options: paths.map(optionOf) })),
          ]}
          onChoose={(path) => {
            setSetting(path);
            setGiven(null);
          }}
        />
        <div className="plan-field">
          <label htmlFor="plan-value">Value</label>
          <Value setting={setting} value={value} onChange={setGiven} />
        </div>
        <button type="button" className="button" data-testid="plan-add" disabled={value === null} onClick={plan}>
          Add to the timeline
        </button>
      </div>
    </details>
  );
}

const optionOf = (path: ArmSettingPath) => [path, labelOf(path)] as const;

interface ValueProps {
  readonly setting: ArmSettingPath;
  readonly value: SettingValue | null;
  readonly onChange: (value: SettingValue) => void;
}

function Value({ setting: path, value, onChange }: ValueProps) {
  const setting = findArmSetting(path);
  if (setting === undefined) return null;
  if (isNumberSetting(setting)) {
    return (
      <NumberField
        label="Value"
        id="plan-value"
        value={value === null ? null : Number(value)}
        min={setting.min}
        max={setting.max}
        integer={setting.type === 'integer'}
        testId="plan-value"
        onChange={onChange}
      />
    );
  }
  if (setting.type === 'choice') {
    return (
      <Choice
        id="plan-value"
        testId="plan-value"
        value={String(value ?? setting.default)}
        options={setting.choices.map((choice) => [choice, nameOfChoice(setting, choice)])}
        onChoose={onChange}
      />
    );
  }
  return (
    <input
      type="checkbox"
      id="plan-value"
      data-testid="plan-value"
      checked={value === true}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
