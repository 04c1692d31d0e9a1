/** Words that not everybody knows: pointed at or focused, they tell their meaning. */
import { type ReactNode, useId, useRef, useState } from 'react';
import { part } from './part';
import './styles/term.css';

const Meaning = part('What words mean', () => import('./Meaning'), 'Meaning');

/** Words that every sentence explains; an arm is explained where the arms are. */
export const TERMS = [
  'nats',
  'silent group',
  'rollout',
  'on-policy',
  'inner step',
  'denominator',
  'critic',
  'GAE',
  'k2',
] as const;

export type KnownTerm = (typeof TERMS)[number] | 'arm';

/** A sentence in which each such word, or its plural, can be asked for its meaning where it first comes. */
export function withTerms(text: string, terms: readonly KnownTerm[] = TERMS): ReactNode {
  const found = terms.length > 0 ? new RegExp(`\\b(${terms.join('|')})s?\\b`, 'i').exec(text) : null;
  const [whole = '', word] = found ?? [];
  const term = terms.find((one) => one.toLowerCase() === word?.toLowerCase());
  if (found === null || term === undefined) return text;
  const others = terms.filter((one) => one !== term);
  return (
    <>
      {text.slice(0, found.index)}
      <Term term={term} words={whole} />
      {withTerms(text.slice(found.index + whole.length), others)}
    </>
  );
}

/** A word of the glossary, explained when pressed. `words`: its form in the sentence. */
export function Term({ term, words = term }: { term: KnownTerm; words?: string }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="term bare"
        aria-describedby={open ? id : undefined}
        onPointerEnter={() => setOpen(true)}
        onPointerLeave={() => setOpen(false)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
      >
        {words}
      </button>
      {open && <Meaning {...{ id, term, opener }} />}
    </>
  );
}
