/** Changes too near to one another for a mark each: one mark with their number, and a list of them when it is pressed. */
import { useRef } from 'react';
import { type Marked, MarkName } from './StripMark';

interface Props extends Marked {
  /** The changes in words, for those who only hear them. */
  readonly labels: readonly string[];
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
          <MarkName left={named.left - at} line={named.line}>
            {name}
          </MarkName>
        )}
      </button>
    </li>
  );
}
