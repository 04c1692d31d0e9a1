/** A button that opens a panel under itself. */
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { Popover } from './Popover';

interface Props {
  /** Name of the panel. */
  readonly label: string;
  /** Words on the button. */
  readonly words: ReactNode;
  /** Name for screen readers, where the words do not suffice. */
  readonly name?: string;
  readonly className: string;
  readonly testId?: string;
  readonly disabled?: boolean;
  /** The panel; `close` closes it and gives the focus back to the button. */
  readonly children: (close: () => void) => ReactNode;
}

export function PopoverButton({ label, words, name, className, testId, disabled, children }: Props) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        disabled={disabled}
        aria-expanded={open}
        aria-label={name}
        data-testid={testId}
        onClick={() => setOpen(!open)}
      >
        {words}
      </button>
      {/* Around the panel: what it holds may be on its way, and takes the focus when it is there. */}
      <Suspense fallback={null}>
        {open && (
          <Popover label={label} opener={opener} onClose={() => setOpen(false)}>
            {children(close)}
          </Popover>
        )}
      </Suspense>
    </>
  );
}
