/** Probabilities of the next action: before, with the belief changed, truly there, and after pushes that mean nothing. */
import type { CSSProperties } from 'react';
import type { BeliefView } from '../../../../../train/looks/shown';
import { formatPercent } from '../../../../kit/format';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { actionSign, meanOfRandom } from './beliefs';

interface Props {
  readonly view: BeliefView;
  readonly steered: BeliefView['tried']['steered'][number];
}

export function BeliefTable({ view: { tried, actions }, steered }: Props) {
  const columns = {
    before: ['before', tried.before],
    after: ['believing', steered.after],
    there: ['truly there', tried.there],
    random: ['random pushes', meanOfRandom(steered)],
    elsewhere: ['to a third cell', steered.elsewhere],
  } as const;
  return (
    <Scrolling label="Probabilities of the next action">
      <Table
        className="belief-table small unbroken"
        testId="belief-table"
        columns={['Action', ...Object.values(columns).map(([head]) => head)]}
        caption="Probability of each next action"
      >
        {actions.map((word, action) => (
          <Row
            key={word}
            head={
              <>
                <span aria-hidden="true">{actionSign(word)}</span> {word}
              </>
            }
          >
            {Object.entries(columns).map(([key, [, decision]]) => (
              <td
                key={key}
                data-column={key}
                className={`belief-share belief-share-${key}`}
                style={{ '--share': decision[action] } as CSSProperties}
              >
                {formatPercent(decision[action] ?? 0)}
              </td>
            ))}
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}
