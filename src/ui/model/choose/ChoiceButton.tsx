/**
 * One of several things to choose from: a small drawing, its name, a sentence, and facts. The whole card can be pressed;
 * the button itself is the name, so that it is what is spoken first.
 */
import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly string[];
  readonly picture: ReactNode;
  /** What it is to the experiment on screen, in a word or two; null for the others. */
  readonly present: string | null;
  readonly testId: string;
  readonly onChoose: () => void;
}

export function ChoiceButton({ title, text, facts, picture, present, testId, onChoose }: Props) {
  const id = useId();
  return (
    <div className="choice">
      <span className="choice-picture" aria-hidden="true">
        {picture}
      </span>
      <button
        type="button"
        className="choice-button"
        data-testid={testId}
        aria-current={present !== null}
        aria-describedby={`${id}-text ${id}-facts`}
        onClick={onChoose}
      >
        {title}
      </button>
      <p id={`${id}-text`} className="small">
        {text}
      </p>
      <p id={`${id}-facts`} className="choice-facts small soft">
        {present !== null && <b>{present}</b>}
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
    </div>
  );
}
