/**
 * The same tokens as numbers, at full precision for those who copy them. A long text stands in several tables under one
 * another, because a browser lays a table out as a whole for each row that is added, and one in sight or not.
 */
import { memo } from 'react';
import { ROLES } from '../../../foundation/roles';
import type { TextReading } from '../../../train/protocol';
import { formatMeasured } from '../../format';
import { useGrowing } from '../../useGrowing';
import { visible } from './visible';

/** Rows of a table, drawn in one task. */
const PART = 128;

export function TokenTable({ reading }: { reading: TextReading }) {
  const drawn = useGrowing(reading.words.length, PART);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="sideways text-scroll" aria-label="Tokens as a table" tabIndex={0}>
      {Array.from({ length: Math.ceil(drawn / PART) }, (_, part) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
        <Part key={part} reading={reading} from={part * PART} />
      ))}
    </section>
  );
}

const Part = memo(function Part({ reading, from }: { reading: TextReading; from: number }) {
  const { ids, words, roles, logProb, entropy } = reading;
  const tokens = Array.from(words.keys()).slice(from, from + PART);
  return (
    <div className="text-part">
      <table className="text-table">
        <caption className="hidden-text">
          Tokens {from + 1} to {from + tokens.length} of {words.length}
        </caption>
        <thead className={from === 0 ? undefined : 'hidden-text'}>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Id</th>
            <th scope="col">Role</th>
            <th scope="col">−log p, nats</th>
            <th scope="col">Entropy, nats</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((t) => (
            <tr key={t} data-token={t} data-log-prob={logProb[t]} data-entropy={entropy[t]}>
              <th scope="row">{visible(words[t] ?? '')}</th>
              <td>{ids[t]}</td>
              <td>{ROLES[roles[t] ?? 0]}</td>
              <td>{logProb[t] == null ? '–' : formatMeasured(-logProb[t])}</td>
              <td>{entropy[t] == null ? '–' : formatMeasured(entropy[t])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
