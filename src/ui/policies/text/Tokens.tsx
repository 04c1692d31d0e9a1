/** The tokens in order, coloured by role, their surprise beneath; a break where the text has one. */
import { type CSSProperties, Fragment } from 'react';
import { ROLES } from '../../../foundation/roles';
import type { TextReading } from '../../../train/protocol';
import { formatMeasured } from '../../format';
import { visible } from './visible';

/** Nats at which the bar is full: one in 2,981. */
const FULL = 8;

export function Tokens({ reading: { words, roles, logProb } }: { reading: TextReading }) {
  return (
    <p className="text-tokens">
      {words.map((word, t) => {
        const surprise = logProb[t] == null ? null : -logProb[t];
        const share = Math.min(1, (surprise ?? 0) / FULL);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place in the text
          <Fragment key={t}>
            <span className="text-token">
              <span className={`chip token-${ROLES[roles[t] ?? 0]}`}>{visible(word)}</span>
              <span className="small">{surprise === null ? ' ' : formatMeasured(surprise)}</span>
              <span className="text-bar" style={{ '--share': share } as CSSProperties} />
            </span>
            {word.endsWith('\n') && <span className="text-break" />}
          </Fragment>
        );
      })}
    </p>
  );
}
