/** Changes too near to one another for a mark each: one mark with their number, and a list of them when it is pressed. */
import { useRef } from 'react';
import type { NamePlace } from './places';
import { NAMES_FROM, NAMES_LINE } from './places';

interface Props {
  /** The changes in words, for those who only hear them. */
  readonly labels: readonly string[];
  readonly name: string;
  /** Pixels from the strip's left end. */
  readonly at: number;
  /** Place of its name; null where there is no room for it. */
  readonly named: NamePlace | null;
  readonly isOpen: boolean;
  readonly onOpen: (opener: HTMLButtonElement) => void;
}

export function MarkGroup({ labels, name, at, named, isOpen, onOpen }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const words = `${name}: ${labels.join('; ')}`;
  return (
    <li className="strip-mark" style={{ left: `${at}px` }}>
      <button
        ref={button}
        type="button"
        className="strip-button strip-group bare"
        aria-label={words}
        aria-expanded={isOpen}
        title={words}
        onClick={() => button.current !== null && onOpen(button.current)}
      >
        {/* Drawn by its style: the words that are seen are its name. */}
        <span className="strip-count small" data-count={labels.length} />
        {named !== null && (
          <span
            className="strip-name small unbroken"
            style={{ left: `${named.left - at}px`, top: `${NAMES_FROM + NAMES_LINE * named.line}px` }}
          >
            {name}
          </span>
        )}
      </button>
    </li>
  );
}
