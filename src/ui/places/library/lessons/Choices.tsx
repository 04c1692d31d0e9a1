/** Answers of which the reader chooses one. */
interface Props {
  readonly ask: string;
  readonly choices: readonly { readonly id: string; readonly words: string }[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

export function Choices({ ask, choices, chosen, onChoose }: Props) {
  return (
    <fieldset>
      <legend className="measure">{ask}</legend>
      {choices.map(({ id, words }) => (
        <label key={id} className="padded block">
          <input
            type="radio"
            name="lesson-choice"
            value={id}
            checked={chosen === id}
            data-testid={`choice-${id}`}
            onChange={() => onChoose(id)}
          />{' '}
          {words}
        </label>
      ))}
    </fieldset>
  );
}
