/**
 * Plans a change of a setting for a later update: phases of an experiment, such as imitation first and reinforcement after it, or
 * another objective from some update on. In a run it acts when the run gets there.
 */

import { useState } from 'react';
import { type ArmSettingPath, getArmSetting } from '../../../../experiment/experiment';
import type { SettingValue } from '../../../../experiment/settings/setting';
import { EVERY_ARM, effectiveArms } from '../../../../experiment/timeline';
import { marked, openFrom } from '../../../../store/edit/interventions';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { useLab, useLabState } from '../../../model/useLab';
import { type GivenSetting, SettingFields, UpdateField } from './ChangeFields';
import { useInterventions } from './useInterventions';

export function PlanChange() {
  const lab = useLab();
  const interventions = useInterventions();
  const { arms, updates } = useLabState(({ running, edited }) => running ?? edited);
  const from = useLabState((state) => Math.min(openFrom(state), state.running?.updates ?? 0));
  const [update, setUpdate] = useState<number | null>(null);
  const [chosen, setArm] = useState(EVERY_ARM);
  const [{ setting, given }, setChange] = useState<GivenSetting>({ setting: 'objective', given: null });
  const last = Math.max(1, updates - 1);
  const arm = arms.some(({ id }) => id === chosen) ? chosen : EVERY_ARM;
  const at = Math.min(Math.max(1, update ?? Math.floor((from + updates) / 2)), last);
  const value = given ?? presentValue(marked(lab.store.getState()), arm, setting, at);
  const plan = () => {
    if (value === null) return;
    interventions.edit(null, { update: at, arm, setting, value });
    setChange({ setting, given: null });
  };
  return (
    <div className="plan-fields start">
      <UpdateField id="plan-update" value={at} first={1} last={last} onChange={setUpdate} />
      <Choice
        place="plan-field stack close fit shrinks"
        label="Arm"
        value={arm}
        options={[[EVERY_ARM, 'All arms'], ...arms.map(({ id, name }) => [id, name] as const)]}
        onChoose={setArm}
      />
      <SettingFields id="plan" setting={setting} value={value} onChange={setChange} />
      {from > at && <p className="small soft">The run is past this update: it holds from the next run.</p>}
      <Button className="button-primary" data-testid="plan-add" disabled={value === null} onClick={plan}>
        Add to the timeline
      </Button>
    </div>
  );
}

/** Value of a setting in an update, in one arm or the first of all. */
function presentValue(
  experiment: Parameters<typeof effectiveArms>[0],
  id: string,
  setting: ArmSettingPath,
  update: number,
): SettingValue | null {
  const arm = effectiveArms(experiment, update).find((one) => id === EVERY_ARM || one.id === id);
  return arm === undefined ? null : getArmSetting(arm, setting);
}
