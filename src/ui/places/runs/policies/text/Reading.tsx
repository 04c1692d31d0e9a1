/** A text as a model read it: its loss by role, with a mask and without, and every token by its role. */

import { useState } from 'react';
import { ROLE, type Role, rolesIn } from '../../../../../foundation/roles';
import { type Loss, lossOver, MASKS } from '../../../../../store/desk/texts';
import type { TextReading } from '../../../../../train/protocol';
import { Button } from '../../../../kit/Button';
import { formatCount, formatMeasured } from '../../../../kit/format';
import '../../../../model/tokens/roles.css';
import { Row, Table } from '../../../../kit/Table';
import { Tokens } from './Tokens';
import { TokenTable } from './TokenTable';

export function Reading({ reading }: { reading: TextReading }) {
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
      <div className="policies-row">
        <h3>Each token, and how little it was expected</h3>
        <Button aria-pressed={asTable} data-testid="text-as-table" onClick={() => setAsTable(!asTable)}>
          As a table
        </Button>
      </div>
      {asTable ? <TokenTable reading={reading} /> : <Tokens reading={reading} />}
    </section>
  );
}

function Losses({ reading }: { reading: TextReading }) {
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

function LossRow({ name, role, loss }: { name: string; role?: Role; loss: Loss }) {
  return (
    <Row
      data-loss={name}
      data-nats={loss.nats}
      head={role === undefined ? name : <span className={`chip token-${role}`}>{name}</span>}
    >
      <td>{loss.tokens}</td>
      <td>{formatMeasured(loss.nats)}</td>
      <td>{loss.mean === null ? '–' : formatMeasured(loss.mean)}</td>
    </Row>
  );
}
