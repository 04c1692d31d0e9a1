/** The same tokens as numbers, at full precision for those who copy them. */
import { ROLES } from '../../../foundation/roles';
import type { TextReading } from '../../../train/protocol';
import { formatMeasured } from '../../format';
import { visible } from './visible';

export function TokenTable({ reading: { ids, words, roles, logProb, entropy } }: { reading: TextReading }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="sideways text-scroll" aria-label="Tokens as a table" tabIndex={0}>
      <table className="text-table">
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Id</th>
            <th scope="col">Role</th>
            <th scope="col">−log p, nats</th>
            <th scope="col">Entropy, nats</th>
          </tr>
        </thead>
        <tbody>
          {words.map((word, t) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place in the text
            <tr key={t} data-token={t} data-log-prob={logProb[t]} data-entropy={entropy[t]}>
              <th scope="row">{visible(word)}</th>
              <td>{ids[t]}</td>
              <td>{ROLES[roles[t] ?? 0]}</td>
              <td>{logProb[t] == null ? '–' : formatMeasured(-logProb[t])}</td>
              <td>{entropy[t] == null ? '–' : formatMeasured(entropy[t])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
