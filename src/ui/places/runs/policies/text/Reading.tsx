/** A text as a model read it: its loss by role, with a mask and without, and every token by its role. */

import { type CSSProperties, memo, useMemo, useState } from 'react';
import { ROLE, ROLES, type Role, rolesIn } from '../../../../../foundation/roles';
import { lossOver, MASKS, type TextLoss } from '../../../../../store/desk/texts';
import type { TextReadout } from '../../../../../train/protocol';
import { Button } from '../../../../kit/Button';
import { formatCount, formatMeasured } from '../../../../kit/format';
import '../../../../model/tokens/roles.css';
import { Row, Table } from '../../../../kit/Table';
import { useGrowing } from '../../../../kit/useGrowing';
import { linesOf, type TextLine } from './lines';
import { TokenTable } from './TokenTable';
import { visible } from './visible';

export function Reading({ reading }: { reading: TextReadout }) {
  const [asTable, setAsTable] = useState(false);
  const { model, producer, isQuantised, vocabulary, runtime, kernels } = reading;
  return (
    <section aria-label="What the model thinks of it" data-testid="text-reading">
      <p className="small soft" data-testid="text-ran-on">
        {model}
        {producer === '' ? '' : `, written by ${producer}`}: {formatCount(vocabulary)} words.{' '}
        {isQuantised && 'It is quantised: its numbers are not those of the model it was made from. '}
        On {runtime}. Log-probs and entropies by the lab’s own kernels on {kernels}, over the whole vocabulary, at
        temperature 1.
      </p>
      <Losses reading={reading} />
      <div className="row padded">
        <h3>Each token, and how little it was expected</h3>
        <Button aria-pressed={asTable} data-testid="text-as-table" onClick={() => setAsTable(!asTable)}>
          As a table
        </Button>
      </div>
      {asTable ? <TokenTable reading={reading} /> : <Tokens reading={reading} />}
    </section>
  );
}

function Losses({ reading }: { reading: TextReadout }) {
  return (
    <Table
      className="text-table under-8 table-numbers"
      caption="Loss by role, and with and without the action mask"
      columns={['Tokens of', 'Number', '−log p, nats', 'Mean']}
    >
      {rolesIn(reading.roles.includes(ROLE.thought) ? { thoughts: true } : null).map((role) => (
        <LossRow key={role} name={role} role={role} loss={lossOver(reading, [role])} />
      ))}
      {Object.entries(MASKS).map(([name, roles]) => (
        <LossRow key={name} name={`the loss, ${name}`} loss={lossOver(reading, roles)} />
      ))}
    </Table>
  );
}

function LossRow({ name, role, loss }: { name: string; role?: Role; loss: TextLoss }) {
  return (
    <Row
      data-loss={name}
      data-nats={loss.nats}
      head={role === undefined ? name : <span className={`chip token-${role}`}>{name}</span>}
      cells={[loss.tokens, formatMeasured(loss.nats), loss.mean === null ? '–' : formatMeasured(loss.mean)]}
    />
  );
}

/** Nats at which the bar is full: one in 2,981. */
const FULL = 8;
/** Tokens drawn in one task, the last line to its end. */
const PART = 128;

/**
 * The tokens in order, coloured by role, their surprise beneath; a break where the text has one. Lines out of sight are
 * there and are not laid out.
 */
function Tokens({ reading }: { reading: TextReadout }) {
  const lines = useMemo(() => linesOf(reading.words), [reading]);
  const drawn = useGrowing(reading.words.length, PART);
  return (
    <div className="stack apart">
      {lines
        .filter(({ from }) => from < drawn)
        .map(({ from, to }) => (
          <TokenLine key={from} reading={reading} from={from} to={to} />
        ))}
    </div>
  );
}

const TokenLine = memo(function TokenLine({ reading, from, to }: TextLine & { reading: TextReadout }) {
  const { words, roles, logProb } = reading;
  return (
    <p className="text-line" style={{ '--tokens': to - from } as CSSProperties}>
      {words.slice(from, to).map((word, place) => {
        const t = from + place;
        const surprise = logProb[t] == null ? null : -logProb[t];
        const share = Math.min(1, (surprise ?? 0) / FULL);
        return (
          <span key={t} className="text-token">
            <span className={`chip token-${ROLES[roles[t] ?? 0]}`}>{visible(word)}</span>
            <span className="small">{surprise === null ? ' ' : formatMeasured(surprise)}</span>
            <span className="text-bar full" style={{ '--share': share } as CSSProperties} />
          </span>
        );
      })}
    </p>
  );
});
