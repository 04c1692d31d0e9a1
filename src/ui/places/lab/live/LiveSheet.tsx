/** A sheet at the lower edge with the live numbers, for windows that have no column for them: curves stay in sight above it. */

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../kit/Button';
import { part } from '../../../kit/part';
import { useWide } from '../../../kit/useWide';
import { usePlace } from '../../../model/usePlace';

export const LiveNumbers = part('The live numbers', () => import('./LiveNumbers'), 'LiveNumbers');

export function LiveSheet() {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const inLab = usePlace().place === 'lab';
  useEffect(() => {
    if (open) sheet.current?.focus();
  }, [open]);
  if (useWide() || !inLab) return null;
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      <Button
        ref={opener}
        className="live-open"
        aria-expanded={open}
        data-testid="live-open"
        onClick={() => setOpen(!open)}
      >
        Numbers
      </Button>
      {open && (
        <div
          ref={sheet}
          className="live-sheet raised"
          role="dialog"
          aria-label="Live numbers"
          tabIndex={-1}
          onKeyDown={press}
        >
          <LiveNumbers />
        </div>
      )}
    </>
  );
}
