/**
 * Bars of how well the policy foresaw the environment's answers: for each turn, from top to bottom, the probability it
 * gave beforehand to the observation that followed, averaged over its tokens. A policy that models its world fills the
 * bars; one that does not leaves them empty. A turn that the world does not answer has none.
 */

import { meanOf } from '../../../experiment/conclude/statistics';
import { beginsTurn, ROLE } from '../../../foundation/roles';
import type { EpisodeView } from '../../../train/looks/shown';
import { formatPercent } from '../../kit/format';

export function Foresight({ episode, maxTurns, shown }: { episode: EpisodeView; maxTurns: number; shown: number }) {
  const answers = answersIn(episode, shown);
  const mean = meanOf(answers.flatMap(({ probability }) => probability ?? []));
  return (
    <div className="foresight">
      <p className="small soft">answers predicted</p>
      <p className="foresight-mean bold large">{mean === null ? '–' : formatPercent(mean)}</p>
      <svg viewBox={`0 0 100 ${maxTurns}`} preserveAspectRatio="none" aria-hidden="true">
        {answers.map(({ turn, probability }) => (
          <g key={turn}>
            <rect className="veil" x="0" y={turn + 0.1} width="100" height="0.8" />
            <rect className="foresight-bar" x="0" y={turn + 0.1} width={100 * (probability ?? 0)} height="0.8" />
          </g>
        ))}
      </svg>
    </div>
  );
}

interface Answer {
  /** Index of the turn, from 0. */
  readonly turn: number;
  /** Mean over its observation tokens; null until they are shown, or where none is known. */
  readonly probability: number | null;
}

/** Turns of the whole episode that the world answered. */
export function answersIn({ roles, logProb }: Pick<EpisodeView, 'roles' | 'logProb'>, shown: number): Answer[] {
  const answers = new Map<number, number[]>();
  let turn = -1;
  roles.forEach((role, t) => {
    if (beginsTurn(roles, t)) turn += 1;
    if (role !== ROLE.observation || turn < 0) return;
    const known = answers.get(turn) ?? [];
    if (t < shown) known.push(Math.exp(logProb[t] ?? Number.NaN));
    answers.set(turn, known);
  });
  return [...answers].map(([answered, known]) => ({ turn: answered, probability: meanOf(known) }));
}
