/** Name of a text that somebody writes: a loss, a world. */
import { useId } from 'react';

/** Characters of a name at most. */
const LONGEST = 32;

interface Props {
  readonly name: string;
  readonly testId?: string;
  readonly onName: (name: string) => void;
}

export function NameField({ name, testId, onName }: Props) {
  const id = useId();
  return (
    <span>
      <label className="small soft" htmlFor={id}>
        Name
      </label>{' '}
      <input
        id={id}
        className="field text-name"
        data-testid={testId}
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST}
        value={name}
        onChange={({ target }) => onName(target.value)}
      />
    </span>
  );
}
