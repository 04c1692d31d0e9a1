/**
 * The tokens in order, coloured by role, their surprise beneath; a break where the text has one. Lines out of sight are
 * there and are not laid out.
 */
import { type CSSProperties, memo, useMemo } from 'react';
import { ROLES } from '../../../../../foundation/roles';
import type { TextReading } from '../../../../../train/protocol';
import { formatMeasured } from '../../../../kit/format';
import { useGrowing } from '../../../../kit/useGrowing';
import { type Line, linesOf } from './lines';
import { visible } from './visible';

/** Nats at which the bar is full: one in 2,981. */
const FULL = 8;
/** Tokens drawn in one task, the last line to its end. */
const PART = 128;

export function Tokens({ reading }: { reading: TextReading }) {
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

const TokenLine = memo(function TokenLine({ reading, from, to }: Line & { reading: TextReading }) {
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
