/** A user's losses in an arm: what each replaces, its numbers as live controls, and the way to the desk where it is written. */

import { type LossPlace, OWN_LOSS_LIMITS, type OwnLoss } from '../../../experiment/arm/ownLosses';
import { presentValue, settingsOfLoss } from '../../../experiment/arm/ownLossSettings';
import { type Arm, withArmPart } from '../../../experiment/experiment';
import { Button } from '../../kit/Button';
import { replaceArm } from '../arms/edits';
import { useLab } from '../useLab';
import { NumberControl } from './NumberControl';

const INSTEAD: Readonly<Record<LossPlace, string>> = {
  policy: 'in place of the objective’s policy loss',
  predict: 'in place of the prediction loss',
  added: 'added to the objective',
};

export function OwnLosses({ arm }: { arm: Arm }) {
  const { desk } = useLab();
  return (
    <div className="stack start" data-testid={`own-losses-${arm.id}`}>
      {arm.losses.map((loss) => (
        <OwnLossRow key={loss.name} arm={arm} loss={loss} />
      ))}
      {arm.losses.length < OWN_LOSS_LIMITS.losses && (
        <Button
          data-testid={`write-loss-${arm.id}`}
          aria-label={`Write your own loss for ${arm.name}`}
          onClick={() => desk.open(arm.id)}
        >
          {arm.losses.length === 0 ? 'Write your own loss…' : 'Write another…'}
        </Button>
      )}
    </div>
  );
}

function OwnLossRow({ arm, loss }: { arm: Arm; loss: OwnLoss }) {
  const lab = useLab();
  return (
    <div className="full" data-testid={`own-loss-${arm.id}-${loss.name}`}>
      <p className="small">
        <span className="chip chip-own">{loss.name}</span> {INSTEAD[loss.place]}{' '}
        <Button
          className="button-quiet small"
          aria-label={`Edit ${loss.name} of ${arm.name}`}
          onClick={() => lab.desk.open(arm.id, loss.name)}
        >
          Edit
        </Button>{' '}
        <Button
          className="button-quiet small"
          aria-label={`Remove ${loss.name} from ${arm.name}`}
          onClick={() => lab.desk.remove(arm.id, loss.name)}
        >
          Remove
        </Button>
      </p>
      <div className="controls cards">
        <OwnNumbers arm={arm} loss={loss} />
      </div>
    </div>
  );
}

/** The parameters of a user's loss and its weights. */
export function OwnNumbers({ arm, loss, isLive = false }: { arm: Arm; loss: OwnLoss; isLive?: boolean }) {
  const lab = useLab();
  const change = (path: string, value: number) =>
    lab.editor.edit(replaceArm(lab.store.getState().edited, arm.id, (now) => withArmPart(now, path, value)));
  return settingsOfLoss(loss).map((setting) => (
    <NumberControl
      key={setting.path}
      setting={setting}
      value={Number(presentValue(arm, setting.path))}
      isLive={isLive}
      onChange={(value) => change(setting.path, value)}
    />
  ));
}
