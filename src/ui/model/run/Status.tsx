/**
 * Line on the state of the run, in a place that does not move. Screen readers are told a change of phase, never every
 * update.
 */

import type { Throughput } from '../../../train/protocol';
import { Button } from '../../kit/Button';
import { formatCount, formatRate, plural } from '../../kit/format';
import { PopoverButton } from '../../kit/PopoverButton';
import { durationWords, shorterRun } from '../experimentWords';
import { useKeptRuns, useLab, useLabParts, useLabState } from '../useLab';
import { usePace } from './pace';
import { useStage } from './stage';
import './status.css';

const PHASE_WORDS = {
  idle: 'not started',
  preparing: 'preparing',
  ready: 'ready',
  running: 'running',
  paused: 'paused',
  diverged: 'paused: diverged',
  finished: 'finished',
  restored: 'kept run',
  stranded: 'waiting: the device is gone',
  failed: 'stopped by an error',
} as const;

/** Brings the line into view and into focus. */
export function showStatus(): void {
  document.getElementById('status')?.focus();
}

/** Updates a second that a person still sees come; below it the time that one takes, and that all the rest will take, tells more. */
const SLOW = 0.5;

function Pace({ updatesPerSecond, tokensPerSecond }: Throughput) {
  const pace = usePace();
  if (pace === null) return 'measuring the speed';
  if (pace <= 1 / SLOW) {
    return (
      <>
        <span className="status-rate">
          {formatRate(updatesPerSecond)}
          <span className="status-unit"> updates</span>/s
          <span className="status-tokens"> · {formatRate(tokensPerSecond)} tokens/s</span>
        </span>
        <span className="status-left">
          <TimeLeft updatesPerSecond={1 / pace} />
        </span>
      </>
    );
  }
  return (
    <>
      {formatRate(pace)} s each · <TimeLeft updatesPerSecond={1 / pace} />
    </>
  );
}

export function Status() {
  const { phase, update, throughput } = useLabParts('phase', 'update', 'throughput');
  const updates = useLabState((state) => (state.running ?? state.edited).updates);
  const isOfWorld = useLabState((state) => state.failure?.world !== undefined);
  const words = phase === 'stranded' && isOfWorld ? 'waiting: the world went wrong' : PHASE_WORDS[phase];
  const { title, count } = useStage();
  // Kept is what the next visit can go on with: policies, and the run in the list.
  const isListed = useKeptRuns(({ shown }) => shown !== null);
  const keptUpdate = useLabState((state) => state.keptUpdate ?? 0);
  const kept = isListed ? keptUpdate : 0;
  const data = { 'data-phase': phase, 'data-update': update, 'data-kept': kept };
  return (
    <p className="status small soft" id="status" tabIndex={-1} data-testid="status" {...data}>
      <span className={`status-dot status-${phase} firm`} aria-hidden="true" />
      <span aria-live="polite" className="hidden-text">
        {words}
      </span>
      <span className={`status-lines${phase === 'running' ? ' status-running-lines' : ''}`}>
        {phase !== 'running' && <span aria-hidden="true">{phase === 'preparing' ? title : words}</span>}
        {phase === 'preparing' && <span>{count}</span>}
        {phase !== 'idle' && phase !== 'preparing' && (
          <span>
            update {formatCount(update)} of {formatCount(updates)}
          </span>
        )}
        {phase === 'running' && <span>{throughput === null ? ' ' : <Pace {...throughput} />}</span>}
      </span>
    </p>
  );
}

/** Seconds above which a shorter run is offered, and about as long as it should be. */
const [LONG, SHORT] = [1200, 480];

/** Time that the run still needs at its pace, where an update takes seconds. If it is long, it opens a way to a shorter run. */
function TimeLeft({ updatesPerSecond }: { updatesPerSecond: number }) {
  const lab = useLab();
  const update = useLabState((state) => state.update);
  const updates = useLabState(({ running }) => running?.updates ?? 0);
  const left = (updates - update) / updatesPerSecond;
  const words = left < 60 ? '< 1 min left' : `${formatCount(Math.ceil(left / 60))} min left`;
  const fewer = shorterRun(updates, (SHORT * updatesPerSecond) / updates);
  if (left < LONG) return words;
  const restart = () => {
    lab.editor.edit({ ...lab.store.getState().edited, updates: fewer });
    lab.editor.begin(true);
  };
  return (
    <PopoverButton label="A shorter run" words={words} className="button-quiet time-left bare">
      {(close) => (
        <div className="time-left-panel small stack start wraps">
          <p>You can pause at any time: curves and policies are kept.</p>
          {fewer < updates && fewer > update && (
            <Button
              onClick={() => {
                close();
                restart();
              }}
            >
              Run {plural(fewer, 'update')} instead, {durationWords(fewer / updatesPerSecond)}
            </Button>
          )}
        </div>
      )}
    </PopoverButton>
  );
}
