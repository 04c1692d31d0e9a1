/**
 * How well the policy saw coming what the environment answered: for each turn the probability it gave, beforehand, to the
 * observation that followed. A policy that models its world fills the bars; one that does not leaves them empty.
 */
import { ROLE } from '../../foundation/roles';
import type { EpisodeView } from '../../train/protocol';
import { formatPercent } from '../format';

const HEIGHT = 24;

export function Foresight({ episode, maxTurns, shown }: { episode: EpisodeView; maxTurns: number; shown: number }) {
  const foreseen = probabilities(episode);
  const known = foreseen.filter(({ index, value }) => index < shown && !Number.isNaN(value));
  const mean = known.length === 0 ? null : known.reduce((sum, { value }) => sum + value, 0) / known.length;
  const width = 100 / maxTurns;
  return (
    <div className="foresight">
      <p className="small soft">
        Saw it coming: <b>{mean === null ? '–' : formatPercent(mean)}</b>
      </p>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: maxTurns }, (_, turn) => {
          const entry = foreseen[turn];
          const value = entry === undefined || entry.index >= shown || Number.isNaN(entry.value) ? 0 : entry.value;
          const x = turn * width + 0.3;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
            <g key={turn}>
              <rect className="foresight-slot" x={x} y="0" width={width - 0.6} height={HEIGHT} />
              <rect
                className="foresight-bar"
                x={x}
                y={HEIGHT * (1 - value)}
                width={width - 0.6}
                height={HEIGHT * value}
              />
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
