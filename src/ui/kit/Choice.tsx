/** One of a few, with its label before it or one that only listeners hear. */
import { type ComponentProps, useId } from 'react';

export type Option<T extends string = string> = readonly [value: T, words: string];

interface Group<T extends string> {
  readonly title: string;
  readonly options: readonly Option<T>[];
}

interface ChoiceProps<T extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'children'> {
  /** Label in sight; without one `aria-label`, or another element, labels the choice. */
  readonly label?: string;
  readonly labelClass?: string;
  /** Class of the place of label and list. */
  readonly place?: string;
  readonly testId?: string;
  /** Chosen value; null while it is none of them; `unset` says why. */
  readonly value: T | null;
  readonly unset?: string;
  readonly options: readonly (Option<T> | Group<T>)[];
  readonly onChoose: (value: T) => void;
}

export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, labelClass, place, testId, value, unset, options, onChoose, className = 'field', ...more } = props;
  const id = useId();
  const select = (
    <select
      id={id}
      className={className}
      data-testid={testId}
      value={value ?? ''}
      onChange={({ target }) => onChoose(target.value as T)}
      {...more}
    >
      {value === null && (
        <option value="" disabled>
          {unset}
        </option>
      )}
      {options.map((option) =>
        'title' in option ? (
          <optgroup key={option.title} label={option.title}>
            {option.options.map(drawOption)}
          </optgroup>
        ) : (
          drawOption(option)
        ),
      )}
    </select>
  );
  if (label === undefined) return select;
  return (
    <span className={place}>
      <label className={labelClass} htmlFor={id}>
        {label}
      </label>{' '}
      {select}
    </span>
  );
}

/** Choice with a small label above it. */
export const StackedChoice = <T extends string>(props: ChoiceProps<T>) => (
  <Choice place="stack close fit" labelClass="small soft" {...props} />
);

function drawOption([value, words]: Option) {
  return (
    <option key={value} value={value}>
      {words}
    </option>
  );
}
