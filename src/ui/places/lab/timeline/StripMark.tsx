/**
 * One change on the strip: a hollow mark with its name. It is dragged, or moved with the arrow keys, to another update; a press
 * opens what it can be changed to; Delete takes it away.
 */
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { STEPS } from '../../../kit/plot/range';
import type { NamePlace } from './places';
import { NAMES_FROM, NAMES_LINE, updateAt } from './places';

/** Mark of one change, or of several in one place. */
export interface Marked {
  readonly name: string;
  /** Pixels from the strip's left end. */
  readonly at: number;
  /** Place of its name; null where there is no room for it. */
  readonly named: NamePlace | null;
  readonly isOpen: boolean;
  readonly onOpen: (opener: HTMLButtonElement) => void;
}

interface Props extends Marked {
  /** The change in words, for those who only hear it. */
  readonly label: string;
  readonly colour: string;
  readonly update: number;
  /** Updates that it can be moved to, both included. */
  readonly room: readonly [first: number, last: number];
  readonly updates: number;
  /** Width of the strip, in pixels. */
  readonly width: number;
  readonly isFixed: boolean;
  readonly onMove: (update: number) => void;
  readonly onRemove: () => void;
  /** Called when the focus goes elsewhere. */
  readonly onLeft: () => void;
}

/** Pixels after which a press is a drag. */
const DRAG = 4;
/** Updates of an arrow key with Shift, as of a page key. */
const FAR = 10;

export function StripMark(props: Props) {
  const {
    label,
    name,
    colour,
    update,
    room,
    updates,
    at,
    width,
    named,
    isOpen,
    isFixed,
    onMove,
    onOpen,
    onRemove,
    onLeft,
  } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const press = useRef<{ x: number; isDrag: boolean } | null>(null);
  const isMoving = useRef(false);
  // Marks are in the order of their updates: one that a key moved past another keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked after every move
  useLayoutEffect(() => {
    if (isMoving.current) button.current?.focus({ preventScroll: true });
  }, [update]);
  const bounded = (wanted: number): number => Math.min(room[1], Math.max(room[0], wanted));
  const move = (by: number) => {
    isMoving.current = true;
    if (bounded(update + by) !== update) onMove(bounded(update + by));
  };
  const keys = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (isFixed || (step === undefined && event.key !== 'Delete' && event.key !== 'Backspace')) return;
    event.preventDefault();
    if (step === undefined) onRemove();
    else move(step * (event.shiftKey ? FAR : 1));
  };
  const down = (event: PointerEvent<HTMLButtonElement>) => {
    if (isFixed || event.button !== 0) return;
    press.current = { x: event.clientX, isDrag: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = ({ clientX }: PointerEvent) => {
    const { current } = press;
    if (current === null) return;
    current.isDrag ||= Math.abs(clientX - current.x) > DRAG;
    if (current.isDrag) setDragged(bounded(updateAt(at + clientX - current.x, updates, width)));
  };
  const up = () => {
    if (dragged !== null && dragged !== update) onMove(dragged);
    setDragged(null);
    if (press.current?.isDrag) onLeft();
  };
  const open = () => {
    const wasDrag = press.current?.isDrag === true;
    press.current = null;
    if (!wasDrag && button.current !== null) onOpen(button.current);
  };
  const shown = dragged === null ? at : (dragged / Math.max(1, updates)) * width;
  return (
    <li className="strip-mark" style={{ left: `${shown}px` }}>
      <button
        ref={button}
        type="button"
        className="strip-button bare"
        style={{ color: colour }}
        aria-label={label}
        aria-expanded={isOpen}
        aria-keyshortcuts={isFixed ? undefined : 'ArrowLeft ArrowRight Delete'}
        title={label}
        disabled={isFixed}
        onKeyDown={keys}
        onPointerDown={down}
        onPointerMove={drag}
        onPointerUp={up}
        onPointerCancel={up}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget === null) return;
          isMoving.current = false;
          onLeft();
        }}
        onClick={open}
      >
        <span className="strip-sign cover" />
        {(named !== null || dragged !== null) && (
          <MarkName
            left={(dragged === null ? (named?.left ?? at) : Math.min(shown, width - 96)) - shown}
            line={named?.line ?? 0}
          >
            {dragged === null ? name : `update ${dragged}`}
          </MarkName>
        )}
      </button>
    </li>
  );
}

/** The name of a mark, from the mark's place. */
export function MarkName({ left, line, children }: NamePlace & { readonly children: string }) {
  return (
    <span
      className="strip-name small unbroken"
      style={{ left: `${left}px`, top: `${NAMES_FROM + NAMES_LINE * line}px` }}
    >
      {children}
    </span>
  );
}
