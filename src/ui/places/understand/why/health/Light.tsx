/**
 * One failure in one arm: a sign and a word. Pointing at it or focusing it tells what is measured, why and what helps; a
 * press holds that where it is, with a way to the curve it is seen on.
 */

import { type PointerEvent, useId, useRef, useState } from 'react';
import type { FailureSign, HealthState, Light } from '../../../../../experiment/conclude/health';
import { Button } from '../../../../kit/Button';
import { Popover, Tooltip } from '../../../../kit/Popover';
import { chartOf } from '../../../../model/charts/kinds/definitions';
import { showChart } from '../../../../model/charts/kinds/shownChart';
import { boundWords, criterionWords, longState, stateAndValue, valueWords } from './lightWords';
import { useExplained } from './told';

interface Props {
  readonly failure: FailureSign;
  readonly arm: string;
  readonly light: Light;
}

/** Pixels an explanation may take. */
const TALL = 360;

export function LightCell({ failure, arm, light }: Props) {
  const id = useId();
  const [telling, tell] = useExplained(id);
  const [above, setAbove] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const show = (now: 'passing' | 'held') => {
    const place = opener.current?.getBoundingClientRect();
    setAbove(place !== undefined && place.bottom + TALL > innerHeight && place.top > TALL);
    tell(now);
  };
  const point = (tells: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') return;
    if (tells) show('passing');
    else if (telling === 'passing') tell('none');
  };
  const close = () => tell('none');
  return (
    <td
      className={`light${above ? ' light-above' : ''}`}
      data-label={`${failure.title}, ${boundWords(failure)}`}
      onPointerEnter={point(true)}
      onPointerLeave={point(false)}
    >
      <button
        ref={opener}
        type="button"
        className={`light-button light-${light.state} line closer small bare to-left soft full unbroken round tall`}
        data-testid={`light-${failure.id}`}
        data-state={light.state}
        aria-label={`${failure.title}, ${arm}: ${stateAndValue(failure, light)}, ${boundWords(failure)}`}
        aria-describedby={telling === 'passing' ? id : undefined}
        aria-expanded={telling === 'held'}
        onFocus={({ target }) => target.matches(':focus-visible') && show('passing')}
        onClick={() => (telling === 'held' ? close() : show('held'))}
      >
        <StateSign state={light.state} />
        <span>{stateAndValue(failure, light)}</span>
      </button>
      {telling === 'passing' && (
        <Tooltip id={id} opener={opener} onClose={close}>
          <Explanation failure={failure} arm={arm} light={light} />
          <p className="small soft">Press to keep this open.</p>
        </Tooltip>
      )}
      {telling === 'held' && (
        <Popover label={`${failure.title}, ${arm}`} opener={opener} onClose={close}>
          <Explanation failure={failure} arm={arm} light={light} />
          <Button
            className="under-8"
            data-testid="light-chart"
            onClick={() => {
              close();
              showChart(failure.chart);
            }}
          >
            Show its chart: {chartOf(failure.chart).title}
          </Button>
        </Popover>
      )}
    </td>
  );
}

function Explanation({ failure, arm, light }: Props) {
  return (
    <div className="small stack">
      <p>
        <strong>{failure.title}</strong>, {arm}: {longState(light)}
      </p>
      <dl className="facts">
        <dt>Measured</dt>
        <dd>{failure.measures}.</dd>
        <dt>Now</dt>
        <dd>{valueWords(failure, light)}</dd>
        <dt>Criterion</dt>
        <dd>{criterionWords(failure)}</dd>
        <dt>Why</dt>
        <dd>{failure.why}</dd>
        <dt>Cure</dt>
        <dd>{failure.cure}</dd>
      </dl>
      <p className="soft">The experiment failure-{failure.id} shows this failure.</p>
    </div>
  );
}

/** A shape for each state, so that colour is not needed: a dash, a tick, a triangle, a cross in a disc. */
function StateSign({ state }: { state: HealthState }) {
  return (
    <svg className="light-sign firm" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={SIGNS[state]} />
    </svg>
  );
}

const SIGNS: Readonly<Record<HealthState, string>> = {
  unknown: 'M5 8h6',
  fine: 'M4 8.5l3 3 5-6.5',
  warning: 'M8 2.5l6 11H2zM8 7v3M8 11.7v.1',
  failing: 'M8 1.5a6.5 6.5 0 1 0 .01 0zM5.5 5.5l5 5M10.5 5.5l-5 5',
};
