/** One of a few, with its label. */

interface ChoiceProps {
  readonly className: string;
  readonly label: string;
  readonly testid: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChoose: (value: string) => void;
}

export function Choice({ className, label, testid, value, options, onChoose }: ChoiceProps) {
  return (
    <label className={className}>
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
