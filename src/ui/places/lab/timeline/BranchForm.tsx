/** Branches an arm: a copy of it with one change from some update on, grown into the run. */

import { useState } from 'react';
import { isFixed } from '../../../../experiment/arm/policyFiles';
import { getArmSetting } from '../../../../experiment/experiment';
import { effectiveArms } from '../../../../experiment/timeline';
import { isLive, pendingDifferences } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { changeWords, nameOfChange } from '../../../model/changeWords';
import { useLabState } from '../../../model/useLab';
import { type GivenSetting, SettingFields, UpdateField } from './ChangeFields';
import { useInterventions } from './useInterventions';

/** Characters of an arm's name. */
const LONGEST = 60;

export function BranchForm({ onDone }: { readonly onDone: () => void }) {
  const interventions = useInterventions();
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const now = useLabState((state) => state.update);
  const isRun = useLabState((state) => state.running !== null);
  const isGoing = useLabState((state) => isLive(state) || state.phase === 'finished');
  const waits = useLabState((state) => pendingDifferences(state).length > 0);
  const arms = experiment.arms.filter((arm) => !isFixed(arm));
  const [chosen, setArm] = useState<string | null>(null);
  const [update, setUpdate] = useState<number | null>(null);
  const [{ setting, given }, setChange] = useState<GivenSetting>({ setting: 'ce.observation', given: null });
  const last = Math.max(0, experiment.updates - 1);
  const at = Math.min(update ?? now, last);
  const parent = arms.find(({ id }) => id === chosen) ?? arms.find(({ ce }) => ce.observation > 0) ?? arms[0];
  if (parent === undefined) return <p className="small">No arm learns here.</p>;
  const present = effectiveArms(experiment, at).find(({ id }) => id === parent.id) ?? parent;
  const value = given ?? getArmSetting(present, setting);
  const name = (): string => {
    const change = changeWords(experiment, { update: at, arm: parent.id, setting, value });
    return `${parent.name}, ${nameOfChange({ ...change, from: null }).replace(' to ', ' ')}`.slice(0, LONGEST);
  };
  const branch = () => {
    onDone();
    void interventions.branch({ parent: parent.id, setting, value, name: name(), update: isRun ? update : at });
  };
  return (
    <div className="plan-fields start">
      <p className="small">
        A copy of the arm until an update, with one thing changed from there on. Both have the same numbers until then,
        to the bit, and draw the same random numbers afterwards.
      </p>
      <Choice
        place="plan-field stack close fit shrinks"
        label="Arm"
        value={parent.id}
        options={arms.map(({ id, name: called }) => [id, called] as const)}
        onChoose={(id) => {
          setArm(id);
          setChange({ setting, given: null });
        }}
      />
      <UpdateField
        id="branch-update"
        value={isRun ? update : at}
        first={0}
        last={last}
        placeholder={isRun ? `now (${Math.min(now, last)})` : ''}
        onChange={setUpdate}
      />
      <SettingFields id="branch" setting={setting} value={value} onChange={setChange} />
      <p className="small soft">{consequence({ isRun, isGoing, isEarlier: at < now, at })}</p>
      {waits && <p className="small">Edits wait for a restart: restart with them first, or keep the current run.</p>}
      <Button className="button-primary" data-testid="branch-add" disabled={waits} onClick={branch}>
        Branch
      </Button>
    </div>
  );
}

interface Situation {
  readonly isRun: boolean;
  readonly isGoing: boolean;
  readonly isEarlier: boolean;
  readonly at: number;
}

/** The effect of the button on the run. */
function consequence({ isRun, isGoing, isEarlier, at }: Situation): string {
  if (!isRun) return 'Nothing runs yet: the branch is an arm with a planned change.';
  if (!isGoing || at === 0) return 'The run begins again, with the branch in it.';
  if (!isEarlier) return 'The run goes on with one arm more; the curves so far stay.';
  return `The run goes back to update ${at} at the latest. What was trained since is trained again, to the same numbers.`;
}
