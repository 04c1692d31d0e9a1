/**
 * The experiment as a table, and the table as its control: rows are arms, columns are roles, a cell says which loss a
 * role gets and how strongly. At the end of a row stands what came of it.
 */

import { Fragment } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { finalUpdatesWords } from '../../../experiment/conclude/statistics';
import type { Arm } from '../../../experiment/experiment';
import type { Role } from '../../../foundation/roles';
import { policyName } from '../../../store/lab';
import { type ArmEnd, outcomeOf } from '../../../store/look/outcomes';
import { formatMeasured, formatPercent } from '../../kit/format';
import { PopoverButton } from '../../kit/PopoverButton';
import { within } from '../../kit/part';
import { Row, Table } from '../../kit/Table';
import { Term } from '../../kit/Term';
import { armColours } from '../armColour';
import { Chip } from '../tokens/Chip';
import { useHidden } from '../useHidden';
import { useLab, useLabState } from '../useLab';
import { useRoles } from '../useRoles';
import { ArmName } from './ArmName';
import { canAddArm } from './edits';
import { lossesOn } from './lossesOn';
import { spreadOfShare } from './spread';
import './arms.css';
import './arms-narrow.css';

export function ArmTable() {
  const arms = useLabState((state) => state.edited.arms);
  const fixed = useHidden('arms');
  return (
    <section className="arms" aria-labelledby="arms-title">
      <ArmRows arms={arms} />
      {!fixed && (
        <div className="arms-foot row row-close baseline above-4">
          <AddArm />
          <p className="small soft">
            Each row is an <Term term="arm" />. Press a cell or a name to change it.
          </p>
        </div>
      )}
    </section>
  );
}

/** Head of the column of success. */
const useSuccessHead = (): string =>
  `success, ${finalUpdatesWords(useLabState(({ running, edited }) => (running ?? edited).updates))}`;

const columnsFor = (roles: readonly Role[], success: string) => [
  { key: 'arm', head: 'Which tokens learn', id: 'arms-title', tabIndex: -1, className: 'arms-title' },
  ...roles,
  { key: 'success', head: success, className: 'outcome' },
  { key: 'surprise', head: 'prediction error', className: 'outcome' },
];

/** Table with a row for each of `arms`. */
export function ArmRows({ arms }: { arms: readonly Arm[] }) {
  const colours = armColours(useLabState((state) => state.edited.arms));
  const running = useLabState((state) => state.running);
  const roles = useRoles();
  const success = useSuccessHead();
  return (
    <div className="arm-rows">
      <Table className="arm-table table-even full" labelledBy="arms-title" columns={columnsFor(roles, success)}>
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

const AddArmMenu = within('The list of methods', () => import('./AddArmMenu'), 'AddArmMenu');
const LossEditor = within('The losses of a cell', () => import('./LossEditor'), 'LossEditor');

/** Adds an arm by the method it learns by, or as a fixed policy. A copy of another arm is in that arm's own menu. */
function AddArm() {
  const like = useLabState(({ edited }) => edited.arms.find((arm) => !isFixed(arm))?.name);
  const addable = useLabState((state) => canAddArm(state.edited));
  return (
    <span>
      <PopoverButton
        label="Add an arm"
        words="Add an arm"
        className="button button-quiet small"
        testId="add-arm"
        disabled={!addable}
      >
        {(close) => <AddArmMenu like={like} onDone={close} />}
      </PopoverButton>
    </span>
  );
}

function useOutcome(arm: number): ArmEnd | null {
  const history = useLabState((state) => state.history);
  useLabState((state) => state.tick);
  return history === null || arm < 0 || history.count === 0 ? null : outcomeOf(history, arm);
}

/** Outcome of an arm: success over the last updates and the last observation cross-entropy, with their intervals. */
function ArmOutcome({ index }: { index: number }) {
  const head = useSuccessHead();
  const { success = null, crossEntropy = null } = useOutcome(index) ?? {};
  return (
    <>
      <td className="outcome" data-label={head} data-value={success?.mean ?? undefined}>
        <span className="outcome-main bold large">{success?.mean == null ? '–' : formatPercent(success.mean)}</span>
        <span className="outcome-interval fine to-left soft">{spreadOfShare(success).replace(/^, /, '')}</span>
      </td>
      <td className="outcome" data-label="prediction error" data-value={crossEntropy?.mean ?? undefined}>
        {crossEntropy?.mean == null ? '–' : `${formatMeasured(crossEntropy.mean)} nats`}
      </td>
    </>
  );
}

/** Words in the place of a fixed arm's losses: whose policy plays there, that it learns nothing, and what runs it. */
function FixedPolicy({ arm }: { arm: Arm }) {
  const name = useLabState((state) => policyName(state, arm.fixedPolicy));
  const runtime = useLabState((state) => state.runtimes[arm.id]);
  return (
    <p className="arm-fixed small breaks" data-testid={`fixed-${arm.id}`}>
      <b>Fixed policy</b> · {name}
      <span className="soft">
        {' '}
        · {runtime === undefined ? 'plays and learns nothing' : `learns nothing; runs on ${runtime}`}
      </span>
    </p>
  );
}

/** Cell of one role in one arm: the losses of its tokens as chips, edited in place. */
function LossCell({ arm, role }: { arm: Arm; role: Role }) {
  const { desk } = useLab();
  const parts = lossesOn(arm, role);
  const words = parts.map(({ text }) => text).join(' ');
  const both = parts.length > 1 ? ' cell-both' : '';
  // The space is heard, not seen.
  const chips = parts.map(({ learning, text }) => (
    <Fragment key={text}>
      <Chip learning={learning}>{text}</Chip>{' '}
    </Fragment>
  ));
  if (useHidden('arms')) return <div className={`cell-button cell-fixed${both} column bare round`}>{chips}</div>;
  return (
    <PopoverButton
      label={`Loss on ${role} tokens, ${arm.name}`}
      words={chips}
      name={`${words}, ${arm.name}, ${role} tokens: change the loss`}
      className={`cell-button${both} column bare round`}
      testId={`cell-${arm.id}-${role}`}
    >
      {(close) => (
        <LossEditor
          arm={arm}
          role={role}
          onWrite={() => {
            // The desk gives the focus back to the cell when it closes.
            close();
            desk.open(arm.id, null, role);
          }}
        />
      )}
    </PopoverButton>
  );
}
