/**
 * Clicks on the control that was pressed, though a drawing in between has moved it: the browser gives a click to the
 * element that both the press and the release hit, and a new note, a longer list or a message can move a button away
 * from under the pointer. The pressed control takes the pointer until it is let go, or drawn away by more than a
 * tremble, which takes the press back as everywhere. Touches need none of this: they belong to the element they began
 * on.
 */

const CONTROLS = 'button, a[href], summary, label, input[type="checkbox"], input[type="radio"]';

/** Pixels that a hand trembles. */
const TREMBLE = 8;

export function keepPresses(): void {
  // Listens after the page's own listeners: dragging has taken the pointer already.
  addEventListener('pointerdown', ({ target, pointerId, pointerType, button, clientX, clientY }) => {
    const control = target instanceof Element && button === 0 && pointerType !== 'touch' && target.closest(CONTROLS);
    if (!control || isTaken(target, pointerId)) return;
    control.setPointerCapture(pointerId);
    const kept = new AbortController();
    const { signal } = kept;
    const move = (event: PointerEvent): void => {
      const way = Math.hypot(event.clientX - clientX, event.clientY - clientY);
      if (event.pointerId !== pointerId || way <= TREMBLE) return;
      kept.abort();
      control.releasePointerCapture(pointerId);
    };
    addEventListener('pointermove', move, { signal });
    control.addEventListener('lostpointercapture', () => kept.abort(), { signal });
  });
}

function isTaken(target: Element, pointerId: number): boolean {
  for (let one: Element | null = target; one !== null; one = one.parentElement) {
    if (one.hasPointerCapture(pointerId)) return true;
  }
  return false;
}
