/**
 * A number one can type freely: what is typed stays until it is a valid number or the field is left; an invalid one is
 * explained beneath it and not used. `value` null means that several values differ.
 */
import { useEffect, useId, useState } from 'react';
import { formatSetting, parseNumber } from './format';

interface Props {
  readonly label: string;
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  /** Called on Enter and when the field is left: a half-typed number never acts. */
  readonly onChange: (value: number) => void;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly testId?: string;
  /** Ids of the field's descriptions. */
  readonly describedBy?: string | undefined;
  /** Id for a label element elsewhere, which names the field. */
  readonly id?: string;
}

const plain = (value: number | null): string => (value === null ? '' : formatSetting(value).replaceAll('−', '-'));

export function NumberField(props: Props) {
  const { value, min, max, integer, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const errorId = useId();
  useEffect(() => setTyped((text) => (text !== null && parseNumber(text) === value ? text : null)), [value]);
  const problem = typed === null ? null : problemOf(typed, min, max, integer);
  const use = (text: string) => {
    const number = parseNumber(text);
    if (number !== null && problemOf(text, min, max, integer) === null && number !== value) onChange(number);
  };
  return (
    <>
      <input
        type="text"
        inputMode={integer ? 'numeric' : 'decimal'}
        autoComplete="off"
        className="field number-field to-right"
        data-testid={props.testId}
        id={props.id}
        aria-label={props.id === undefined ? props.label : undefined}
        aria-describedby={problem === null ? props.describedBy : errorId}
        aria-invalid={problem === null ? undefined : true}
        disabled={props.disabled}
        placeholder={props.placeholder}
        value={typed ?? plain(value)}
        onChange={({ target }) => {
          setTyped(target.value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') use(currentTarget.value);
        }}
        onBlur={({ target }) => {
          use(target.value);
          setTyped(null);
        }}
      />
      {problem !== null && (
        <span id={errorId} className="number-problem small block" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

function problemOf(text: string, min: number, max: number, integer: boolean): string | null {
  const value = parseNumber(text);
  if (value === null) return 'Write a number.';
  if (integer && !Number.isInteger(value)) return 'Write a whole number.';
  if (value < min || value > max) return `Write a number from ${formatSetting(min)} to ${formatSetting(max)}.`;
  return null;
}
