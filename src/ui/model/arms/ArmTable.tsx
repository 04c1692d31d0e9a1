/**
 * The experiment as a table, and the table as its control: rows are arms, columns are roles, a cell says which loss a
 * role gets and how strongly. At the end of a row stands what came of it.
 */

import { isFixed } from '../../../experiment/arm/policyFiles';
import { FINAL_UPDATES } from '../../../experiment/conclude/statistics';
import type { Arm } from '../../../experiment/experiment';
import type { Role } from '../../../foundation/roles';
import { Row, Table } from '../../kit/Table';
import { armColours } from '../armColour';
import { useHidden } from '../useHidden';
import { useLabState } from '../useLab';
import { useRoles } from '../useRoles';
import { AddArm } from './AddArm';
import { ArmName } from './ArmName';
import { ArmOutcome } from './ArmOutcome';
import { FixedPolicy } from './FixedPolicy';
import { LossCell } from './LossCell';
import './arms.css';
import './arms-narrow.css';

export function ArmTable() {
  const arms = useLabState((state) => state.edited.arms);
  const fixed = useHidden('arms');
  return (
    <section className="arms" aria-labelledby="arms-title">
      <ArmRows arms={arms} />
      {!fixed && (
        <div className="arms-foot row words-apart baseline above-4">
          <AddArm />
          <p className="small soft">Press a cell or a name to change it.</p>
        </div>
      )}
    </section>
  );
}

const columnsFor = (roles: readonly Role[]) => [
  { key: 'arm', head: 'Which tokens learn', id: 'arms-title', tabIndex: -1, className: 'arms-title' },
  ...roles,
  { key: 'success', head: `success, last ${FINAL_UPDATES}`, className: 'outcome' },
  { key: 'surprise', head: 'obs. cross-entropy', className: 'outcome' },
];

/** Some of the arms, or all of them. */
export function ArmRows({ arms }: { arms: readonly Arm[] }) {
  const colours = armColours(useLabState((state) => state.edited.arms));
  const running = useLabState((state) => state.running);
  const roles = useRoles();
  return (
    <div className="arm-rows">
      <Table className="arm-table table-even full" labelledBy="arms-title" columns={columnsFor(roles)}>
        {arms.map((arm) => (
          <Row
            key={arm.id}
            testId={`arm-${arm.id}`}
            headClass="arm-header"
            head={<ArmName arm={arm} colour={colours.get(arm.id)} />}
          >
            {isFixed(arm) ? (
              <td colSpan={roles.length} className="arm-cell arm-cell-fixed">
                <FixedPolicy arm={arm} />
              </td>
            ) : (
              roles.map((role) => (
                <td key={role} className="arm-cell" data-role={role}>
                  <LossCell arm={arm} role={role} />
                </td>
              ))
            )}
            <ArmOutcome index={running?.arms.findIndex(({ id }) => id === arm.id) ?? -1} />
          </Row>
        ))}
      </Table>
    </div>
  );
}
