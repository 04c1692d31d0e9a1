/**
 * A small panel under the thing it edits; on a phone, a sheet at the bottom. Escape, a press elsewhere or focus leaving
 * closes it, and focus returns to what opened it.
 */
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

interface Props {
  readonly label: string;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Popover({ label, opener, onClose, children }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('input, button, select')?.focus();
    const inside = (target: EventTarget | null): boolean =>
      target instanceof Node && (panel.current?.contains(target) === true || opener.current?.contains(target) === true);
    const press = (event: PointerEvent) => {
      if (!inside(event.target)) close.current();
    };
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close.current();
      opener.current?.focus();
    };
    const leave = (event: FocusEvent) => {
      if (event.target instanceof Node && event.target !== document && !inside(event.target)) close.current();
    };
    document.addEventListener('pointerdown', press);
    document.addEventListener('keydown', dismiss);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', press);
      document.removeEventListener('keydown', dismiss);
      document.removeEventListener('focusin', leave);
    };
  }, [opener]);
  return (
    <div ref={panel} className="popover" role="dialog" aria-label={label}>
      {children}
    </div>
  );
}
