/** Progress of a run, in the place of the button that began it; nothing once the run has ended. */
import { formatCount } from '../../kit/format';
import { durationWords } from '../experimentWords';
import { usePace } from '../run/pace';
import { useLabState } from '../useLab';

/** Factor over the estimate from which a run is called slower. */
const SLOWER = 1.5;

/** estimate: seconds on two processor cores, as the button said; null where it said none. */
export function RunProgress({ estimate }: { estimate: number | null }) {
  const phase = useLabState((state) => state.phase);
  const detail = useLabState((state) => state.detail);
  const imitation = useLabState((state) => state.imitation);
  const update = useLabState((state) => state.update);
  const updates = useLabState(({ running }) => running?.updates ?? 0);
  const isImitating = phase === 'preparing' && imitation !== null;
  if (phase === 'finished' || phase === 'restored' || phase === 'failed') return null;
  const [done, of] = isImitating ? [imitation.done, imitation.total] : [update, updates];
  return (
    <div className="run-progress measure small full" data-testid="run-progress">
      <progress max={of} value={done} aria-label={isImitating ? 'Warm start' : 'Run'} />
      <p>
        {phase !== 'preparing' ? (
          <TimeWords estimate={estimate} />
        ) : isImitating ? (
          `Warm start: ${formatCount(done)} of ${formatCount(of)} supervised updates, then ${formatCount(updates)} with rewards`
        ) : (
          `Preparing: ${detail}`
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
