/** Progress of a run, in the place of the button that began it; nothing once the run has ended. */
import { formatCount, plural } from '../../../kit/format';
import { durationWords } from '../../../model/experimentWords';
import { usePace } from '../../../model/run/pace';
import { useStage } from '../../../model/run/stage';
import { useLabState } from '../../../model/useLab';

/** Factor over the estimate from which a run is called slower. */
const SLOWER = 1.5;

/** estimate: seconds on two processor cores, as the button said; null where it said none. */
export function RunProgress({ estimate }: { estimate: number | null }) {
  const phase = useLabState((state) => state.phase);
  const updates = useLabState(({ running }) => running?.updates ?? 0);
  const { name, title, count, done } = useStage();
  if (phase === 'finished' || phase === 'restored' || phase === 'failed') return null;
  return (
    <div className="run-progress measure small full" data-testid="run-progress">
      <progress value={done} aria-label="Run" />
      <p>
        {name === 'preparing' ? `Preparing: ${title}.` : `${title}, ${count}.`}{' '}
        {name === 'warm start' &&
          `Then training, ${plural(updates, 'update')}${estimate === null ? '' : `; ${durationWords(estimate)} in all`}.`}
        {name === 'training' && (
          <>
            <TimeWords estimate={estimate} />.
          </>
        )}
      </p>
    </div>
  );
}

function TimeWords({ estimate }: { estimate: number | null }) {
  const update = useLabState((state) => state.update);
  const updates = useLabState(({ running }) => running?.updates ?? 0);
  const pace = usePace();
  if (pace === null) return 'Measuring how fast this machine is';
  const whole = pace * updates;
  const isSlower = estimate !== null && whole > SLOWER * estimate && durationWords(whole) !== durationWords(estimate);
  const said = isSlower ? `; on two free cores ${durationWords(estimate)} in all` : '';
  return `${leftWords(pace * (updates - update))}${said}`;
}

const leftWords = (seconds: number): string =>
  seconds < 60 ? 'Under a minute left' : `About ${formatCount(Math.ceil(seconds / 60))} min left`;
