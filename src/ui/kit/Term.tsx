/** Words that not everybody knows: pointed at or focused, they say what they mean. */
import { type ReactNode, useId, useRef, useState } from 'react';
import { useOnTop } from './Popover';
import './term.css';

const TERMS = {
  nats: 'Unit of surprise: 0 for what was held certain, 0.69 for what was given 1 chance in 2, 2.3 for 1 in 10. It is −ln of that chance.',
  'silent group':
    'All episodes of one task were rewarded alike. None was better than the others, so the reward teaches nothing here.',
} as const;

type Known = keyof typeof TERMS;

const FIRST = new RegExp(`\\b(${Object.keys(TERMS).join('|')})\\b`);

/** A sentence in which the first such word can be asked for its meaning. */
export function withTerms(text: string): ReactNode {
  const [before, word, ...after] = text.split(FIRST);
  if (word === undefined) return text;
  return (
    <>
      {before}
      <Term word={word as Known} />
      {after.join('')}
    </>
  );
}

function Term({ word }: { word: Known }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="term"
        aria-describedby={open ? id : undefined}
        onPointerEnter={() => setOpen(true)}
        onPointerLeave={() => setOpen(false)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
      >
        {word}
      </button>
      {open && <Meaning id={id} word={word} opener={opener} />}
    </>
  );
}

function Meaning({ id, word, opener }: { id: string; word: Known; opener: React.RefObject<HTMLButtonElement | null> }) {
  const panel = useRef<HTMLSpanElement>(null);
  useOnTop(panel, opener);
  return (
    <span ref={panel} id={id} className="popover popover-top term-meaning small" popover="manual" role="tooltip">
      {TERMS[word]}
    </span>
  );
}
