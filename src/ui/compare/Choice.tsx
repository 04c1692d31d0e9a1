/** One of a few, with its label above it. */

interface ChoiceProps {
  readonly label: string;
  readonly testid: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

export function Choice({ label, testid, value, options, onChoose }: ChoiceProps) {
  return (
    <label className="compare-choice">
      <span className="small soft">{label}</span>
      <select className="field" data-testid={testid} value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
