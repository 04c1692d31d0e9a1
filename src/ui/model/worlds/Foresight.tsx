/**
 * Bars of how well the policy foresaw the environment's answers: for each turn, from top to bottom, the probability it
 * gave beforehand to the observation that followed, averaged over its tokens. A policy that models its world fills the
 * bars; one that does not leaves them empty.
 */
import { beginsTurn, ROLE } from '../../../foundation/roles';
import type { EpisodeView } from '../../../train/looks/shown';
import { formatPercent } from '../../kit/format';

export function Foresight({ episode, maxTurns, shown }: { episode: EpisodeView; maxTurns: number; shown: number }) {
  const foreseen = probabilities(episode, shown);
  const known = foreseen.filter((value) => value !== null);
  const mean = known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  return (
    <div className="foresight">
      <p className="small soft">saw it coming</p>
      <p className="foresight-mean bold large">{mean === null ? '–' : formatPercent(mean)}</p>
      <svg viewBox={`0 0 100 ${maxTurns}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: maxTurns }, (_, turn) => {
          const value = foreseen[turn] ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
            <g key={turn}>
              <rect className="veil" x="0" y={turn + 0.1} width="100" height="0.8" />
              <rect className="foresight-bar" x="0" y={turn + 0.1} width={100 * value} height="0.8" />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** Mean probability of each turn's observation tokens; null for a turn without any. */
function probabilities({ roles, logProb }: EpisodeView, shown: number): (number | null)[] {
  const turns: number[][] = [];
  for (let t = 0; t < shown; t++) {
    if (beginsTurn(roles, t)) turns.push([]);
    const value = Math.exp(logProb[t] ?? Number.NaN);
    if (roles[t] === ROLE.observation && !Number.isNaN(value)) turns.at(-1)?.push(value);
  }
  return turns.map((values) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
  );
}
