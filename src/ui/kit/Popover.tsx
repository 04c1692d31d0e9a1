/**
 * A small panel under the thing it edits or explains; on a phone, a sheet at the bottom with a button that closes it, and the
 * thing in sight above. Escape, a press elsewhere or focus going elsewhere closes it, and focus that was inside returns to what
 * opened it.
 */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from './Button';

interface Props {
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

interface PopoverProps extends Props {
  readonly label: string;
  /** Selector of a part of the page, around the opener, that it stands left of where there is room: that stays in sight. */
  readonly beside?: string;
}

/** Holds controls or links: the first of them takes the focus. */
export function Popover({ label, beside, ...props }: PopoverProps) {
  const panel = useDismissal(props);
  useOnTop(panel, props.opener, beside);
  useEffect(() => {
    const all = panel.current?.querySelectorAll<HTMLElement>('a[href], input, button, select') ?? [];
    [...all].find((one) => one.checkVisibility())?.focus();
  }, [panel]);
  return (
    <div
      ref={panel}
      className="popover popover-top frame to-left raised scrolls"
      popover="manual"
      role="dialog"
      aria-label={label}
    >
      {props.children}
      <Button
        className="popover-close"
        onClick={() => {
          props.onClose();
          props.opener.current?.focus();
        }}
      >
        Close
      </Button>
    </div>
  );
}

/** Panel with a description of its opener, which names it by `id` (aria-describedby) and keeps the focus. */
export function Tooltip({ id, ...props }: Props & { id: string }) {
  const panel = useDismissal(props);
  return (
    <div ref={panel} id={id} className="popover frame to-left raised" role="tooltip">
      {props.children}
    </div>
  );
}

/** Pixels between the panel, its opener and the window's edges. */
const ROOM = 4;

/**
 * Puts a popover above everything, so that no scrolling part cuts it off; under its opener, or above where there is
 * more room.
 */
export function useOnTop(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  beside?: string,
): void {
  useLayoutEffect(() => {
    const { current } = panel;
    if (current === null) return;
    current.showPopover();
    const place = () => {
      const { left, top, bottom } = opener.current?.getBoundingClientRect() ?? new DOMRect();
      const below = innerHeight - bottom - 2 * ROOM;
      const isBelow = below >= Math.min(current.scrollHeight, top);
      const most = (isBelow ? below : top - 2 * ROOM) - ROOM;
      const rightmost = innerWidth - current.offsetWidth - 2 * ROOM;
      const kept = beside === undefined ? null : opener.current?.closest(beside);
      const apart = (kept?.getBoundingClientRect().left ?? 0) - current.offsetWidth - 2 * ROOM;
      const wanted = apart > 2 * ROOM ? apart : left;
      current.style.setProperty('--left', `${Math.max(2 * ROOM, Math.min(wanted, rightmost))}px`);
      current.style.setProperty('--top', isBelow ? `${bottom + ROOM}px` : 'auto');
      current.style.setProperty('--bottom', isBelow ? 'auto' : `${innerHeight - top + ROOM}px`);
      current.style.setProperty('--most', `${most}px`);
    };
    const settle = () => {
      place();
      // Only a sheet can be over its opener.
      const covered =
        (opener.current?.getBoundingClientRect().bottom ?? 0) + ROOM - current.getBoundingClientRect().top;
      if (current.clientWidth === document.documentElement.clientWidth && covered > 0) scrollBy(0, covered);
    };
    settle();
    const sizes = new ResizeObserver(settle);
    sizes.observe(current);
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [panel, opener, beside]);
}

function useDismissal({ opener, onClose }: Props): RefObject<HTMLDivElement | null> {
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const inside = (target: EventTarget | null): boolean =>
      target instanceof Node && (panel.current?.contains(target) === true || opener.current?.contains(target) === true);
    const press = (event: PointerEvent) => {
      if (!inside(event.target)) close.current();
    };
    const dismiss = (event: KeyboardEvent) => {
      // A dialog that was opened from here is closed first.
      if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null) return;
      event.stopPropagation();
      const held = panel.current?.contains(document.activeElement) === true;
      close.current();
      if (held) opener.current?.focus();
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
  return panel;
}
