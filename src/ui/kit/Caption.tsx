/**
 * A caption: a short sentence, whole also where it takes two lines. What else there is to say stands behind an “i”: a press or
 * Enter shows all of it, Escape or a press elsewhere puts it away.
 */
import { type ReactNode, useId } from 'react';
import './styles/caption.css';

interface Props {
  /** The sentence, one line on a desk. */
  readonly said: ReactNode;
  /** Subject of the line, for screen readers: “More about the groups”. */
  readonly about: string;
  /** Further words behind the “i”; null for none, and then there is no “i”. */
  readonly children: ReactNode;
}

export function Caption({ said, about, children }: Props) {
  const id = useId();
  return (
    <div className="caption line small soft steady">
      <p>{said}</p>
      {children !== null && (
        <>
          <button type="button" className="caption-more firm" popoverTarget={id} aria-label={`More about ${about}`}>
            i
          </button>
          <div id={id} popover="auto" className="caption-rest frame raised">
            {said} {children}
          </div>
        </>
      )}
    </div>
  );
}

/** The first sentence of a text, and the rest. */
export function firstSentence(text: string): readonly [first: string, rest: string] {
  const end = text.indexOf('. ') + 1;
  return end === 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
