/**
 * A token through a lens: its word, the deeper the larger the number, and beneath it the number with a bar to its side.
 * Hundreds are laid out at once, so a token has two elements, and its bar is a background.
 */
import { type CSSProperties, memo } from 'react';
import { ROLES } from '../../../foundation/roles';
import type { LensName, TokenPlace } from '../../../store/look/inspector';
import type { Inspection } from '../../../train/looks/shown';
import { Chip, LEARNING_WORDS, type TokenLearning } from '../../model/tokens/Chip';
import { speakToken, writeToken } from '../../model/tokens/tokenWords';
import { lensOf } from './lenses';
import { learningAt } from './tokens';

interface Props {
  readonly inspection: Inspection;
  readonly index: number;
  readonly word: string;
  readonly lens: LensName;
  /** Number under the token, in words; empty where unknown. */
  readonly value: string;
  /** Depth of the colour, −1 … 1. */
  readonly depth: number;
  /** True for the token at which the keyboard stops. */
  readonly isStop: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (place: TokenPlace) => void;
  readonly onHover: (place: TokenPlace) => void;
}

export const TokenCell = memo(function TokenCell(props: Props) {
  const { inspection, index, word, lens, value, depth, isStop, isChosen, onChoose, onHover } = props;
  const place = { arm: inspection.arm.id, index };
  const role = ROLES[inspection.roles[index] ?? -1] ?? 'token';
  const learning = learningAt(inspection, index);
  // Label: the token's text, then its number; no hidden text, which would have to be laid out for every token.
  const known = value === '' ? '' : ` ${value}: ${lensOf(lens).name.toLowerCase()}`;
  return (
    <button
      type="button"
      className={`token bare${isChosen ? ' token-chosen' : ''}`}
      tabIndex={isStop ? 0 : -1}
      aria-label={`${speakToken(word)}${known}, ${role}, ${LEARNING_WORDS[learning]}`}
      aria-pressed={isChosen}
      data-arm={place.arm}
      data-index={index}
      data-role={role}
      data-chosen={isChosen || undefined}
      onFocus={() => onChoose(place)}
      // Not every browser focuses a pressed button.
      onClick={() => onChoose(place)}
      onPointerEnter={() => onHover(place)}
    >
      <Word learning={learning} lens={lens} depth={depth} role={role}>
        {writeToken(word)}
      </Word>{' '}
      {lensOf(lens).value !== null && <Value value={value} depth={depth} isSigned={lensOf(lens).isSigned ?? false} />}
    </button>
  );
});

interface WordProps {
  readonly learning: TokenLearning;
  readonly lens: LensName;
  readonly depth: number;
  readonly role: string;
  readonly children: string;
}

function Word({ learning, lens, depth, role, children }: WordProps) {
  if (lens === 'weight') return <Chip learning={learning}>{children}</Chip>;
  if (lens === 'role') return <span className={`chip token-${role}`}>{children}</span>;
  return (
    <span className="chip token-word" style={{ '--depth': Math.min(1, Math.abs(depth)) } as CSSProperties}>
      {children}
    </span>
  );
}

/** Number above its bar, which goes from the left edge, or from the middle to either side. */
function Value({ value, depth, isSigned }: { value: string; depth: number; isSigned: boolean }) {
  if (value === '') return <span className="token-value" />;
  const length = (isSigned ? 50 : 100) * Math.max(-1, Math.min(1, depth));
  const start = isSigned ? 50 : 0;
  const ends = { '--from': `${start + Math.min(0, length)}%`, '--to': `${start + Math.max(0, length)}%` };
  return (
    <span className="token-value token-bar small" style={ends as CSSProperties}>
      {value}
    </span>
  );
}
