/** Small fields: a name, a search, a box to tick, a text to be copied and the button that copies it. */
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { asLabError } from '../../foundation/errors';
import { Button } from './Button';

/** Characters of a name at most. */
const LONGEST = 32;

interface NameProps {
  readonly name: string;
  readonly testId?: string;
  readonly onName: (name: string) => void;
}

/** Name of a text that somebody writes: a loss, a world. */
export function NameField({ name, testId, onName }: NameProps) {
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

interface SearchProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Field of a search. Escape empties it: a browser may do so itself, and not all do. */
export const SearchField = ({ text, onText, ...more }: SearchProps) => (
  <input
    type="search"
    className="field"
    autoComplete="off"
    spellCheck={false}
    maxLength={200}
    value={text}
    onChange={({ target }) => onText(target.value)}
    onKeyDown={({ key }) => key === 'Escape' && onText('')}
    {...more}
  />
);

interface CheckProps {
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly testId?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A box to tick, and its words behind it. */
export const Check = ({ checked, onCheck, testId, className, children }: CheckProps) => (
  <label className={className}>
    <input type="checkbox" data-testid={testId} checked={checked} onChange={({ target }) => onCheck(target.checked)} />{' '}
    {children}
  </label>
);

/**
 * Copies a text, `what` to readers, and returns the sentence that tells of it; a browser that forbids it finds the field selected.
 */
export async function copied(what: string, text: string, field?: HTMLInputElement | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return `${what} is in your clipboard.`;
  } catch {
    field?.focus();
    field?.select();
    return field == null
      ? 'The browser did not allow copying: allow it for this page, and copy again.'
      : `The browser did not allow copying: ${what.replace('The', 'the')} is selected, copy it yourself.`;
  }
}

/** The sentence on what came of the last attempt, and a way to make one, which answers with that sentence or fails. */
export function useAttempt(): readonly [said: string, attempt: (act: () => Promise<string>) => Promise<void>] {
  const [said, setSaid] = useState('');
  const attempt = async (act: () => Promise<string>) => {
    setSaid('');
    setSaid(await act().catch((cause: unknown) => asLabError(cause).message));
  };
  return [said, attempt];
}

interface CopyButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  /** Copies, and answers with the sentence (`copied`). */
  readonly onCopy: () => Promise<string>;
}

/** A button that copies, and beside it, read aloud too, the sentence on what came of it. */
export function CopyButton({ onCopy, ...more }: CopyButtonProps) {
  const [said, attempt] = useAttempt();
  return (
    <span className="row near">
      <Button onClick={() => attempt(onCopy)} {...more} />
      <span className="small soft" aria-live="polite">
        {said}
      </span>
    </span>
  );
}

interface RefusalProps extends ComponentProps<'p'> {
  readonly problem: string | { readonly what: string; readonly advice: string } | null;
}

/** Refusal with its reason, read aloud at once; nothing is drawn where nothing was refused. */
export function Refusal({ problem, className = 'small alarm', children, ...more }: RefusalProps) {
  if (problem === null || problem === '') return null;
  return (
    <p role="alert" className={className} {...more}>
      {typeof problem === 'string' ? problem : `${problem.what} ${problem.advice}`}
      {children}
    </p>
  );
}

export const CopyField = (props: ComponentProps<'input'>) => (
  <input className="field full" readOnly onFocus={({ target }) => target.select()} {...props} />
);

export const CopyText = (props: ComponentProps<'textarea'>) => (
  <textarea
    className="field embed-html full breaks"
    readOnly
    spellCheck={false}
    onFocus={({ target }) => target.select()}
    {...props}
  />
);
