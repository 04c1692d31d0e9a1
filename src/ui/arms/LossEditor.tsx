/** The two losses a role can have in an arm, each on or off and with its weight; neither means masked. */
import { type Arm, type ArmSettingPath, findArmSetting } from '../../experiment/experiment';
import type { Role } from '../../foundation/roles';
import { NumberField } from '../NumberField';
import { useLab } from '../useLab';
import { setInArm } from './edits';

const LOSSES = [
  { loss: 'pg', name: 'Policy gradient', turnedOn: 1 },
  { loss: 'ce', name: 'Cross-entropy', turnedOn: 0.1 },
] as const;

export function LossEditor({ arm, role }: { arm: Arm; role: Role }) {
  const lab = useLab();
  const set = (path: ArmSettingPath, value: number) =>
    lab.editor.edit(setInArm(lab.store.getState().edited, arm.id, path, value));
  return (
    <div className="loss-editor">
      <h2>
        {arm.name}: {role} tokens
      </h2>
      {LOSSES.map(({ loss, name, turnedOn }) => {
        const path: ArmSettingPath = `${loss}.${role}`;
        const setting = findArmSetting(path);
        const value = arm[loss][role];
        if (setting?.type !== 'number') return null;
        return (
          <div key={loss} className="loss-row">
            <label>
              <input
                type="checkbox"
                checked={value > 0}
                data-testid={`use-${loss}`}
                onChange={({ target }) => set(path, target.checked ? turnedOn : 0)}
              />{' '}
              {name}
            </label>
            <NumberField
              label={`${setting.label}, weight`}
              value={value}
              min={setting.min}
              max={setting.max}
              integer={false}
              disabled={value === 0}
              testId={`weight-${loss}`}
              onChange={(next) => set(path, next)}
            />
            <p className="small soft">{setting.help}</p>
          </div>
        );
      })}
      <p className="small soft">With neither, these tokens are masked: the loss does not see them.</p>
    </div>
  );
}
