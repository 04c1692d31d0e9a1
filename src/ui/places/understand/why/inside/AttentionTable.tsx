/** Attention of one token to those before it: a row a head, a column a token, the larger the deeper. */
import type { CSSProperties } from 'react';
import type { Inspection } from '../../../../../train/looks/shown';
import { Caption } from '../../../../kit/Caption';
import { formatPercent } from '../../../../kit/format';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { writeToken } from '../../../../model/tokens/tokenWords';
import { attentionTo, mostAttended, placesOf, placeWords } from './attention';
import './attention.css';

interface Props {
  readonly inspection: Inspection;
  readonly index: number;
  readonly words: readonly string[];
}

/** Columns at most; what is left stands together in a last one. */
const COLUMNS = 16;

export function AttentionTable(props: Props) {
  const isKnown = props.inspection.attention.layers > 0;
  return (
    <div>
      <h4 className="small soft">What it attends to, under the new policy</h4>
      {isKnown ? <Shares {...props} /> : <p className="small">Not known: this policy runs outside the trainer.</p>}
    </div>
  );
}

function Shares({ inspection, index, words }: Props) {
  const keys = mostAttended(inspection, index, COLUMNS);
  const others = index + 1 - keys.length;
  const largest = Math.max(
    ...placesOf(inspection).flatMap((place) => keys.map((key) => attentionTo(inspection, place, index, key))),
  );
  const headOf = (key: number) => ({
    key,
    head: (
      <>
        {writeToken(words[inspection.tokens[key] ?? -1] ?? '?')}
        <span className="attention-index soft block lined">{key + 1}</span>
      </>
    ),
  });
  return (
    <>
      <Scrolling className="attention fit" label="Attention, head by head">
        <Table
          className="attention-table small"
          testId="attention-table"
          columns={['Head', ...keys.map(headOf), ...(others > 0 ? [`${others} others`] : [])]}
        >
          {placesOf(inspection).map((place) => {
            const shares = keys.map((key) => attentionTo(inspection, place, index, key));
            const rest = Math.max(0, 1 - shares.reduce((a, b) => a + b, 0));
            return (
              <Row
                key={placeWords(place)}
                className={place.head === null ? 'attention-mean' : undefined}
                head={placeWords(place)}
              >
                {shares.map((share, i) => (
                  <Share key={keys[i]} share={share} depth={share / largest} />
                ))}
                {others > 0 && <Share share={rest} depth={0} />}
              </Row>
            );
          })}
        </Table>
      </Scrolling>
      <Caption said="What each head looks at to know what comes next." about="the table">
        Each row adds up to 100%. Numbers under the words are places in the trajectory.
      </Caption>
    </>
  );
}

/** depth: 0 … 1; the rest of many tokens has none. */
function Share({ share, depth }: { share: number; depth: number }) {
  return (
    <td data-share={share} style={{ '--depth': depth } as CSSProperties}>
      {formatPercent(share)}
    </td>
  );
}
