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
