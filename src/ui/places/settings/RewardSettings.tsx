/**
 * The reward of a trajectory: a table of its parts, each with its weight and its cap, three usual rewards to begin
 * from, and the numbers that the parts in use depend on.
 */

import { useId } from 'react';
import { type Arm, type ArmSettingPath, armSettings, getArmSetting } from '../../../experiment/experiment';
import { isNumberSetting, type SettingValue } from '../../../experiment/settings/setting';
import { inWordsOf, REWARD, REWARD_PART_IDS, REWARD_TABLE, type RewardPart } from '../../../hyperparameters/rewards';
import { Button } from '../../kit/Button';
import { formatSetting } from '../../kit/format';
import { NumberField } from '../../kit/NumberField';
import { Row, Table } from '../../kit/Table';
import { setInArm } from '../../model/arms/edits';
import { worldOf } from '../../model/environment';
import { ArmControls, EVERY } from '../../model/settings/ArmControl';
import { useLab, useLabState } from '../../model/useLab';
import './rewards.css';

type Form = Arm['outcomeForm'];

/** Outcome alone, in each of its forms. */
const USUAL: readonly { readonly form: Form; readonly name: string }[] = [
  { form: 'environment', name: 'As the environment scores' },
  { form: 'binary', name: '0/1 for success' },
  { form: 'signed', name: '±1 for success' },
];

/** Settings of the reward that are no weight and no cap. */
const OTHERS = armSettings.map(({ path }) => path).filter((path) => !path.includes('.') && Object.hasOwn(REWARD, path));

function isUsual(arm: Arm, form: Form): boolean {
  const alone = REWARD_PART_IDS.every((part) => arm.reward[part] === (part === 'outcome' ? 1 : 0));
  return alone && arm.outcomeForm === form && arm.rewardCap.outcome === 0 && arm.verifierNoise === 0;
}

export function RewardSettings({ scope, shown }: { scope: string; shown: (path: ArmSettingPath) => boolean }) {
  const lab = useLab();
  const arms = useLabState((state) => state.edited.arms);
  const world = worldOf(useLabState((state) => state.edited.environment))?.environment;
  const concerned = arms.filter(({ id }) => scope === EVERY || id === scope);
  const set = (path: ArmSettingPath, value: SettingValue) => {
    if (scope === EVERY) lab.editor.editArms(path, value, () => true);
    else lab.editor.edit(setInArm(lab.store.getState().edited, scope, path, value));
  };
  const take = (form: Form) => {
    for (const part of REWARD_PART_IDS) set(`reward.${part}`, part === 'outcome' ? 1 : 0);
    set('rewardCap.outcome', 0);
    set('outcomeForm', form);
    set('verifierNoise', 0);
  };
  return (
    <>
      <fieldset className="row near padded">
        <legend className="hidden-text">Usual rewards</legend>
        {USUAL.map(({ form, name }) => (
          <Button
            key={form}
            className="small"
            aria-pressed={concerned.every((arm) => isUsual(arm, form))}
            data-testid={`reward-${form}`}
            onClick={() => take(form)}
          >
            {name}
          </Button>
        ))}
      </fieldset>
      <Table
        className="reward-table full"
        caption="Parts of the reward, with the weight and the cap of each"
        columns={['Part of the reward', 'Weight', 'Cap']}
      >
        {REWARD_PART_IDS.filter((part) => shown(`reward.${part}`)).map((part) => (
          <PartRow
            key={part}
            part={part}
            help={inWordsOf(world?.milestoneWords, REWARD_TABLE[part].help)}
            arms={concerned}
            onChange={set}
          />
        ))}
      </Table>
      <p className="small soft">
        The reward is the sum of weight · part. A cap bounds a part on both sides of 0; 0 is no cap. Each part in use
        has a chart of its own among the measurements, so that a reward can be seen to rise without success.
      </p>
      <ArmControls paths={OTHERS.filter(shown)} scope={scope} />
    </>
  );
}

interface RowProps {
  readonly part: RewardPart;
  readonly help: string;
  readonly arms: readonly Arm[];
  readonly onChange: (path: ArmSettingPath, value: SettingValue) => void;
}

function PartRow({ part, help, arms, onChange }: RowProps) {
  const helpId = useId();
  const { title } = REWARD_TABLE[part];
  const isPaid = arms.some((arm) => arm.reward[part] !== 0);
  const field = (path: `reward.${RewardPart}` | `rewardCap.${RewardPart}`) => {
    const setting = armSettings.find((one) => one.path === path);
    if (setting === undefined || !isNumberSetting(setting)) return null;
    const values = [...new Set(arms.map((arm) => Number(getArmSetting(arm, path))))];
    const [value] = values;
    return (
      <NumberField
        label={setting.label}
        describedBy={helpId}
        value={values.length === 1 && value !== undefined ? value : null}
        placeholder={values.map(formatSetting).join(', ')}
        min={setting.min}
        max={setting.max}
        integer={false}
        testId={`setting-${path}`}
        onChange={(to) => onChange(path, to)}
      />
    );
  };
  return (
    <Row
      className={isPaid ? '' : 'control-idle'}
      testId={`reward-part-${part}`}
      head={
        <>
          <span className="control-label fine block">{title}</span>
          <span id={helpId} className="small soft block">
            {help}
          </span>
        </>
      }
      cells={[field(`reward.${part}`), field(`rewardCap.${part}`)]}
    />
  );
}
