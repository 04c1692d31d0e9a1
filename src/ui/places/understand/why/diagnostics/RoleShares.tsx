/** Shares of each role in an arm's batch, loss and gradient: three stacked bars an arm, and the numbers. */

import { percent } from '../../../../../foundation/percent';
import { ROLE, type Role, rolesIn } from '../../../../../foundation/roles';
import type { RoleNumbers } from '../../../../../rl/look/diagnosis/table';
import { Caption } from '../../../../kit/Caption';
import { formatPercent } from '../../../../kit/format';
import { HIDDEN, Row, Table } from '../../../../kit/Table';
import { Titled } from '../../../../kit/Titled';
import { MarkedArm } from '../../../../model/arms/ArmName';
import type { DiagnosedArm } from './armColumns';

const GIVEN: readonly (readonly [name: string, of: (role: RoleNumbers) => number])[] = [
  ['tokens', ({ tokens }) => tokens],
  ['weight', ({ policyWeight, crossEntropyWeight }) => policyWeight + crossEntropyWeight],
  ['gradient', ({ gradient }) => gradient],
];

export function RoleShares({ arms }: { arms: readonly DiagnosedArm[] }) {
  const hasThoughts = arms.some(({ found }) => (found.roles[ROLE.thought]?.tokens ?? 0) > 0);
  const roles = rolesIn(hasThoughts ? { thoughts: true } : null);
  return (
    <Titled title="What each role gives" as="h4">
      <Caption said="Shares of the tokens, of their weight in the loss, and of the gradient." about="the shares">
        Weight: |policy weight × advantage| + |cross-entropy weight|, added up. Gradient: the norm of what a role’s
        losses ask for by themselves, among the sum of these norms. KL, entropy and critic are the actions’.
      </Caption>
      <ul className="row words-apart padded-4 small" aria-hidden="true">
        {roles.map((role) => (
          <li key={role}>
            <span className={`diagnostics-key diagnostics-${role} token-${role}`} /> {role}
          </li>
        ))}
      </ul>
      <div className="cards wide">
        {arms.map((arm) => (
          <Table
            key={arm.id}
            className="diagnostics-shares stack close small top"
            testId={`roles-${arm.id}`}
            captionClass=""
            caption={<MarkedArm colour={arm.colour} name={arm.name} />}
            headClass={HIDDEN}
            columns={['Share of', ...roles]}
          >
            {GIVEN.map(([name, of]) => (
              <Shares key={name} name={name} roles={roles} values={arm.found.roles.map(of)} />
            ))}
          </Table>
        ))}
      </div>
    </Titled>
  );
}

function Shares(props: { name: string; roles: readonly Role[]; values: readonly number[] }) {
  const { name, roles, values } = props;
  const whole = values.reduce((sum, value) => sum + value, 0);
  return (
    <Row data-given={name} headClass="diagnostics-given" head={name}>
      {roles.map((role) => (
        <Share key={role} role={role} share={whole > 0 ? (values[ROLE[role]] as number) / whole : 0} />
      ))}
      {!(whole > 0) && <td className="soft">{whole === 0 ? 'nothing' : 'not measured'}</td>}
    </Row>
  );
}

function Share({ role, share }: { role: Role; share: number }) {
  return (
    <td
      className={`diagnostics-share diagnostics-${role} token-${role} shrinks unbroken`}
      data-role={role}
      data-share={share}
      style={{ flexGrow: share }}
      title={`${role}: ${percent(share)}`}
    >
      <span>{formatPercent(share)}</span>
    </td>
  );
}
