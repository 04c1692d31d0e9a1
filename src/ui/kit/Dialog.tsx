/**
 * A native modal dialog: the browser keeps the focus inside, Escape closes it and so does another place,
 * and focus returns to what opened it. Close stands beside its title, in sight however far one has scrolled.
 */

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './Button';

interface Props {
  readonly title: string;
  /** Size, for more than a few words and buttons: columns, or the whole window. */
  readonly kind?: 'wide' | 'inspector';
  /** True for a question: its answers close the dialog, one of which changes nothing. */
  readonly isQuestion?: boolean;
  /** True for a text to read: the focus is on its title, not on the first of its links. */
  readonly isRead?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, kind, isQuestion = false, isRead = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    // The inspector comes back with its place.
    if (kind === 'inspector') return;
    const close = () => dialog.current?.close();
    addEventListener('hashchange', close);
    return () => removeEventListener('hashchange', close);
  }, [kind]);
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    if (current !== null && !current.open) {
      current.showModal();
      current.querySelector<HTMLElement>('h2[tabindex]')?.focus({ preventScroll: true });
      // The element with the focus may be far below: a dialog begins with its title.
      current.scrollTop = 0;
    }
    return () => {
      // Closed by a button inside, it has taken the focus with it.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={kind === undefined ? 'dialog frame raised' : `dialog dialog-${kind} frame raised`}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <div className="dialog-head line wide between raised">
        <h2 id={titleId} className="padded-4" {...(isRead ? { tabIndex: -1 } : {})}>
          {title}
        </h2>
        {!isQuestion && <Button onClick={onClose}>Close</Button>}
      </div>
      <div className="dialog-body stack under-8 wide">{children}</div>
    </dialog>
  );
}
