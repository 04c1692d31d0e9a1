/** One of several things to choose from: a small drawing, its name, a sentence, and facts. The one on screen is marked. */
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
    <button
      type="button"
      className="choice"
      data-testid={testId}
      aria-current={present !== null}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text ${id}-facts`}
      onClick={onChoose}
    >
      <span className="choice-picture" aria-hidden="true">
        {picture}
      </span>
      <span id={`${id}-title`} className="choice-title">
        {title}
      </span>
      <span id={`${id}-text`} className="choice-text small">
        {text}
      </span>
      <span id={`${id}-facts`} className="choice-facts small soft">
        {present !== null && <b>{present}</b>}
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </button>
  );
}
