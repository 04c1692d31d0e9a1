/** The set of losses on a role's tokens in an arm, each on or off and with its weight; the empty set is masked. */

import { OWN_LOSS_LIMITS } from '../../../experiment/arm/ownLosses';
import { type Arm, withArmPart } from '../../../experiment/experiment';
import type { Role } from '../../../foundation/roles';
import { Button } from '../../kit/Button';
import { Check } from '../../kit/Fields';
import { NumberField } from '../../kit/NumberField';
import { useLab } from '../useLab';
import { type CellLoss, cellLosses } from './cellLosses';
import { replaceArm } from './edits';

/** Source of each role's tokens, in a sentence. */
const SOURCES: Readonly<Record<Role, string>> = {
  prompt: 'The world says them first: the task.',
  thought: 'The agent says them to itself before it acts.',
  action: 'The agent says them: what it does.',
  observation: 'The world says them: its answer to an action.',
  warning: 'The world says them where an action was malformed.',
};

interface Props {
  readonly arm: Arm;
  readonly role: Role;
  /** Leads to the desk, with a loss for these tokens. */
  readonly onWrite: () => void;
}

export function LossEditor({ arm, role, onWrite }: Props) {
  const lab = useLab();
  const edit = (next: (now: Arm) => Arm) => lab.editor.edit(replaceArm(lab.store.getState().edited, arm.id, next));
  return (
    <div className="stack apart">
      <h2>
        {arm.name}: {role} tokens
      </h2>
      <p className="small soft">{SOURCES[role]}</p>
      {cellLosses(arm, role).map((loss) => (
        <LossRow key={loss.path} loss={loss} onEdit={edit} />
      ))}
      <p className="small soft">Without any, these tokens are masked: the loss does not see them.</p>
      {arm.losses.length < OWN_LOSS_LIMITS.losses && <Button onClick={onWrite}>Write a loss for these tokens…</Button>}
    </div>
  );
}

function LossRow({ loss, onEdit }: { loss: CellLoss; onEdit: (next: (arm: Arm) => Arm) => void }) {
  const { path, testId, name, label, help, value, isOn, min, max, turnOn, turnOff } = loss;
  return (
    <div className="loss-row">
      <Check checked={isOn} testId={`use-${testId}`} onCheck={(on) => onEdit(on ? turnOn : turnOff)}>
        {name}
      </Check>
      <NumberField
        label={`${label}, weight`}
        value={isOn ? value : 0}
        min={min}
        max={max}
        integer={false}
        disabled={!isOn}
        testId={`weight-${testId}`}
        onChange={(next) => onEdit((arm) => withArmPart(arm, path, next))}
      />
      <p className="small soft">{help}</p>
    </div>
  );
}
