/**
 * The experiment as a table, and the table as its control: rows are arms, columns are roles, a cell says which loss a
 * role gets and how strongly. At the end of a row stands what came of it.
 */
import { ROLES } from '../../foundation/roles';
import { armColours } from '../armColour';
import { useLab, useLabState } from '../useLab';
import { ArmName } from './ArmName';
import { ArmOutcome } from './ArmOutcome';
import { canAddArm, duplicateArm } from './edits';
import { LossCell } from './LossCell';
import './arms.css';

export function ArmTable() {
  const lab = useLab();
  const arms = useLabState((state) => state.edited.arms);
  const running = useLabState((state) => state.running);
  const addable = useLabState((state) => canAddArm(state.edited));
  const colours = armColours(arms);
  const last = arms.at(-1);
  return (
    <section className="arms" aria-labelledby="arms-title">
      {/* biome-ignore lint/a11y/useSemanticElements: explicit roles survive the phone's layout, which display: grid would undo */}
      <table className="arm-table" role="table" aria-labelledby="arms-title">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col" id="arms-title" className="arms-title">
              Which tokens learn, and how
            </th>
            {ROLES.map((role) => (
              <th key={role} role="columnheader" scope="col">
                {role}
              </th>
            ))}
            <th role="columnheader" scope="col" className="outcome">
              success, last 20
            </th>
            <th role="columnheader" scope="col" className="outcome">
              obs. cross-entropy
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {arms.map((arm) => (
            <tr key={arm.id} role="row" data-testid={`arm-${arm.id}`}>
              <th role="rowheader" scope="row" className="arm-header">
                <ArmName arm={arm} colour={colours.get(arm.id)} />
              </th>
              {ROLES.map((role) => (
                <td key={role} role="cell" className="arm-cell" data-role={role}>
                  <LossCell arm={arm} role={role} />
                </td>
              ))}
              <ArmOutcome index={running?.arms.findIndex(({ id }) => id === arm.id) ?? -1} />
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        className="button button-quiet small"
        disabled={!addable || last === undefined}
        data-testid="add-arm"
        onClick={() => last !== undefined && lab.editor.edit(duplicateArm(lab.store.getState().edited, last.id))}
      >
        Add an arm
      </button>
      <span className="small soft">
        {' '}
        Press a cell to choose its loss, a name to rename, duplicate or remove the arm.
      </span>
    </section>
  );
}
