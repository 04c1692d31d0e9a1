/** A select of the policies' forms. */
interface Props {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onChoose: (value: string) => void;
}

export function Choice({ label, testId, value, options, onChoose }: Props) {
  return (
    <label className="policies-choice">
      <span>{label}</span>
      <select className="field" data-testid={testId} value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}
