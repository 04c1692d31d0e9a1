/**
 * How well the policy saw coming what the environment answered: for each turn, from top to bottom, the probability it gave
 * beforehand to the observation that followed. A policy that models its world fills the bars; one that does not leaves
 * them empty.
 */
import { ROLE } from '../../foundation/roles';
import type { EpisodeView } from '../../train/protocol';
import { formatPercent } from '../format';

export function Foresight({ episode, maxTurns, shown }: { episode: EpisodeView; maxTurns: number; shown: number }) {
  const foreseen = probabilities(episode);
  const known = foreseen.filter(({ index, value }) => index < shown && !Number.isNaN(value));
  const mean = known.length === 0 ? null : known.reduce((sum, { value }) => sum + value, 0) / known.length;
  return (
    <div className="foresight">
      <p className="small soft">saw it coming</p>
      <p className="foresight-mean">{mean === null ? '–' : formatPercent(mean)}</p>
      <svg viewBox={`0 0 100 ${maxTurns}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: maxTurns }, (_, turn) => {
          const value = known[turn]?.value ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
            <g key={turn}>
              <rect className="foresight-slot" x="0" y={turn + 0.1} width="100" height="0.8" />
              <rect className="foresight-bar" x="0" y={turn + 0.1} width={100 * value} height="0.8" />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function probabilities({ roles, logProb }: EpisodeView): { index: number; value: number }[] {
  const found: { index: number; value: number }[] = [];
  roles.forEach((role, index) => {
    if (role === ROLE.observation) found.push({ index, value: Math.exp(logProb[index] ?? Number.NaN) });
  });
  return found;
}
