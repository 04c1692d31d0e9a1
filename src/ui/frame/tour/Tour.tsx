/**
 * The guided tour: a card beside each thing it speaks of, which stays in use meanwhile. Arrow keys go on and back, Escape ends
 * it; nothing moves but the card.
 */

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../kit/Button';
import { endTour } from '../../model/tourStore';
import { useLab, useLabState } from '../../model/useLab';
import { STEPS } from './steps';
import { useBeside } from './useBeside';
import './tour.css';

export function Tour() {
  const lab = useLab();
  const hidden = useLabState((state) => state.hidden);
  const steps = useMemo(() => STEPS.filter(({ part }) => part === undefined || !hidden.includes(part)), [hidden]);
  const [at, setAt] = useState(0);
  const card = useRef<HTMLDivElement>(null);
  const id = useId();
  const started = useLabState((state) => state.running !== null);
  const step = steps[Math.min(at, steps.length - 1)] ?? STEPS[0];
  const beside = useBeside(step?.about ?? [], card);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is read out
  useEffect(() => card.current?.focus({ preventScroll: true }), [at]);
  useEscape(endTour);
  if (step === undefined) return null;
  const isLast = at === steps.length - 1;
  const runsNow = step.runs === true && !started;
  const next = () => {
    if (isLast) return endTour();
    if (runsNow) lab.editor.run();
    setAt(at + 1);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight' && !isLast) next();
    else if (event.key === 'ArrowLeft' && at > 0) setAt(at - 1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {beside?.target != null && <div className="tour-ring round" aria-hidden="true" style={ringOf(beside.target)} />}
      <div
        ref={card}
        className="tour stack raised round"
        role="dialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        tabIndex={-1}
        data-testid="tour"
        data-step={at + 1}
        style={beside?.card}
        onKeyDown={press}
      >
        <p className="small soft tour-progress line">
          <progress aria-label="How far the tour is" max={steps.length} value={at + 1} />
          {at + 1} of {steps.length}
        </p>
        <h2 id={`${id}-title`}>{step.title}</h2>
        <p id={`${id}-text`}>{step.text}</p>
        <div className="tour-buttons line above-8">
          {!isLast && (
            <Button className="button-quiet" onClick={endTour}>
              Skip the tour
            </Button>
          )}
          {at > 0 && <Button onClick={() => setAt(at - 1)}>Back</Button>}
          <Button className="button-primary" data-testid="tour-next" onClick={next}>
            {isLast ? 'Done' : runsNow ? 'Run, and on' : 'Next'}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Pixels between the tour's subject and the line round it. */
const ROOM = 4;

function ringOf({ left, top, width, height }: { left: number; top: number; width: number; height: number }) {
  return { left: left - ROOM, top: top - ROOM, width: width + 2 * ROOM, height: height + 2 * ROOM };
}

/** Ends the tour from anywhere, unless something else is open that the key closes. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      if (document.querySelector('dialog[open], .popover') === null) onClose();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onClose]);
}
