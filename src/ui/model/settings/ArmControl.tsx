/** One setting of one arm or of all: whichever control its type needs, and what is to be said of it here and now. */

import type { ReactNode } from 'react';
import { shortHash } from '../../../experiment/arm/policyFiles';
import { isRelevant } from '../../../experiment/arm/relevance';
import { warningOf } from '../../../experiment/arm/warnings';
import { type Arm, type ArmSettingPath, findArmSetting, getArmSetting } from '../../../experiment/experiment';
import { findObjective, isOfObjective, valueInPreset } from '../../../experiment/objectives/objectivePresets';
import { type FileSetting, isNumberSetting, type SettingValue } from '../../../experiment/settings/setting';
import { Button } from '../../kit/Button';
import { formatSetting } from '../../kit/format';
import { setInArm } from '../arms/edits';
import { worldOf } from '../environment';
import { useLab, useLabState } from '../useLab';
import { ChoiceControl, FlagControl } from './ChoiceControl';
import { Control } from './Control';
import { NumberControl } from './NumberControl';
import { TokenWeight } from './TokenWeight';
import { nameOfValue } from './valueNames';

/** Stands for all arms in the choice of what the controls concern. */
export const EVERY = '*';

interface Props {
  readonly path: ArmSettingPath;
  readonly scope: string;
  /** True among the lab's live numbers, where only warnings are said. */
  readonly isLive?: boolean;
}

export function ArmControl({ path, scope, isLive = false }: Props) {
  const lab = useLab();
  const arms = useLabState((state) => state.edited.arms);
  const environment = worldOf(useLabState((state) => state.edited.environment))?.environment;
  const setting = findArmSetting(path);
  if (setting === undefined) return null;
  // For all arms, λ moves only those that have this loss: the table decides which do.
  const isWeight = path === 'ce.observation';
  const concerns = (arm: Arm): boolean => (scope === EVERY ? !isWeight || arm.ce.observation > 0 : arm.id === scope);
  const concerned = arms.filter(concerns);
  const [value, ...others] = concerned.map((arm) => getArmSetting(arm, path));
  const shared = value !== undefined && others.every((other) => other === value) ? value : null;
  const idle = !concerned.some((arm) => isRelevant(arm, path, environment));
  const change = (to: SettingValue) => {
    if (scope === EVERY) lab.editor.editArms(path, to, concerns);
    else lab.editor.edit(setInArm(lab.store.getState().edited, scope, path, to));
  };
  const [arm] = concerned;
  const warnings = concerned.flatMap((one) => {
    const warning = warningOf(one, path);
    return warning === null ? [] : [{ id: one.id, name: one.name, warning }];
  });
  const said = warnings.map(({ id, name, warning }) => (
    <span key={id} className="control-remark bold block" data-testid={`warning-${path}`}>
      {scope === EVERY ? `${name}: ${warning}` : warning}
    </span>
  ));
  const note = isLive ? (
    said.length > 0 ? (
      said
    ) : undefined
  ) : (
    <>
      {isWeight && <TokenWeight arms={concerned} scoped={scope === EVERY} />}
      {path === 'subgoalCount' && environment?.milestoneWords !== undefined && (
        <span className="control-remark">Milestones here: {environment.milestoneWords}.</span>
      )}
      {idle && !isWeight && <span className="control-remark">No effect now.</span>}
      {said}
      {scope !== EVERY && arm !== undefined && <FromPreset arm={arm} path={path} onTakeBack={change} />}
    </>
  );
  if (isNumberSetting(setting)) {
    const values = concerned.map((one) => Number(getArmSetting(one, path)));
    const differing = values.length === 0 ? '–' : [...new Set(values)].map(formatSetting).join(', ');
    // λ of all arms is that of those that have this loss: among the live numbers its name says whose.
    const isOfSome = isLive && isWeight && concerned.length > 0 && concerned.length < arms.length;
    const whose = concerned.length === 1 ? (arm?.name ?? '') : `${concerned.length} arms`;
    return (
      <NumberControl
        setting={isOfSome ? { ...setting, label: `Prediction λ, ${whose}` } : setting}
        value={shared === null ? null : Number(shared)}
        // There a field has no room for a list.
        differing={isLive && values.length > 1 ? 'mixed' : differing}
        disabled={concerned.length === 0}
        idle={idle && !isWeight}
        isLive={isLive}
        onChange={change}
        note={note}
      />
    );
  }
  if (setting.type === 'choice') {
    return (
      <ChoiceControl
        setting={setting}
        value={shared === null ? null : String(shared)}
        idle={idle}
        note={note}
        onChange={change}
      />
    );
  }
  if (setting.type === 'file') {
    return (
      <FileControl setting={setting} value={shared === null ? null : String(shared)} note={note} onChange={change} />
    );
  }
  return (
    <FlagControl
      setting={setting}
      value={shared === null ? null : shared === true}
      idle={idle}
      note={note}
      onChange={change}
    />
  );
}

interface ArmControlsProps {
  readonly paths: readonly ArmSettingPath[];
  readonly scope: string;
}

export const ArmControls = ({ paths, scope }: ArmControlsProps) => (
  <div className="controls cards">
    {paths.map((path) => (
      <ArmControl key={path} path={path} scope={scope} />
    ))}
  </div>
);

interface FromPresetProps {
  readonly arm: Arm;
  readonly path: ArmSettingPath;
  readonly onTakeBack: (value: SettingValue) => void;
}

function FromPreset({ arm, path, onTakeBack }: FromPresetProps) {
  const preset = findObjective(arm.objective);
  const original = valueInPreset(preset, path);
  if (!isOfObjective(path) || getArmSetting(arm, path) === original) return null;
  const name = nameOfValue(path, original);
  return (
    <Button className="button-quiet small low wraps to-left lined" onClick={() => onTakeBack(original)}>
      Back to {preset.title}: {name}
    </Button>
  );
}

interface FileControlProps {
  readonly setting: FileSetting & { readonly path: string };
  /** Value; null when the arms that the control concerns differ. */
  readonly value: string | null;
  readonly note: ReactNode;
  readonly onChange: (value: string) => void;
}

/** A file that the setting names by its hash: which one, and a way back to none. Files are opened elsewhere. */
function FileControl({ setting, value, note, onChange }: FileControlProps) {
  return (
    <Control
      label={setting.label}
      help={
        <>
          {setting.help} Choose one under Runs, Policies. {note}
        </>
      }
      beside={<span data-testid={`setting-${setting.path}`}>{named(value)}</span>}
    >
      {value !== '' && (
        <Button className="button-quiet small low wraps to-left lined" onClick={() => onChange('')}>
          Take none
        </Button>
      )}
    </Control>
  );
}

function named(value: string | null): string {
  if (value === null) return 'the arms differ';
  return value === '' ? 'none' : shortHash(value);
}
