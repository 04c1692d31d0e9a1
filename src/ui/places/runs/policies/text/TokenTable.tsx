/**
 * Table of a text's tokens: their numbers at full precision, for those who copy them. A long text is several tables under one
 * another, because a browser lays a table out as a whole for each row that is added, in sight or not.
 */
import { memo } from 'react';
import { ROLES } from '../../../../../foundation/roles';
import type { TextReadout } from '../../../../../train/protocol';
import { formatMeasured } from '../../../../kit/format';
import { HIDDEN, Row, Scrolling, Table } from '../../../../kit/Table';
import { useGrowing } from '../../../../kit/useGrowing';
import { visible } from './visible';

/** Rows of a table, drawn in one task. */
const PART = 128;

export function TokenTable({ reading }: { reading: TextReadout }) {
  const drawn = useGrowing(reading.words.length, PART);
  return (
    <Scrolling className="limited scrolls" label="Tokens as a table">
      {Array.from({ length: Math.ceil(drawn / PART) }, (_, part) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
        <Part key={part} reading={reading} from={part * PART} />
      ))}
    </Scrolling>
  );
}

const Part = memo(function Part({ reading, from }: { reading: TextReadout; from: number }) {
  const { ids, words, roles, logProb, entropy } = reading;
  const tokens = Array.from(words.keys()).slice(from, from + PART);
  return (
    <div className="text-part">
      <Table
        className="text-table under-8 table-numbers"
        caption={`Tokens ${from + 1} to ${from + tokens.length} of ${words.length}`}
        headClass={from === 0 ? '' : HIDDEN}
        columns={['Token', 'Id', 'Role', '−log p, nats', 'Entropy, nats']}
      >
        {tokens.map((t) => (
          <Row
            key={t}
            data-token={t}
            data-log-prob={logProb[t]}
            data-entropy={entropy[t]}
            head={visible(words[t] ?? '')}
            cells={[
              ids[t],
              ROLES[roles[t] ?? 0],
              logProb[t] == null ? '–' : formatMeasured(-logProb[t]),
              entropy[t] == null ? '–' : formatMeasured(entropy[t]),
            ]}
          />
        ))}
      </Table>
    </div>
  );
});
