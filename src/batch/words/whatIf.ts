/** A batch under other losses as a table with notes. */

import { precisePercent } from '../../foundation/percent';
import { BATCH_ROLES } from '../trajectory';
import type { WhatIf, WhatIfRow } from '../whatIf/whatIf';
import { short } from './words';

const MOST_TURNS = 4;

/** Cells, their title first. */
export function whatIfCells({ rows }: WhatIf): string[][] {
  const known = rows.flatMap(({ result }) => result ?? []);
  const roles = BATCH_ROLES.filter((role) => known.some(({ byRole }) => (byRole[role] ?? 0) > 0));
  const turns = Math.min(MOST_TURNS, Math.max(0, ...known.map(({ byTurn }) => byTurn.length)));
  const title = [
    ...['what if', 'policy loss', 'prediction', 'KL', 'clipped', ...roles],
    ...Array.from({ length: turns }, (_, turn) => `turn ${turn + 1}`),
    ...['half in', 'largest', 'cosine', 'λ as actions'],
  ];
  const cells = ({ name, result }: WhatIfRow): string[][] => {
    if (result === null) return [];
    const { loss, clipShare, byRole, byTurn, halfIn, largest, cosine, equalLambda } = result;
    const row = [
      name,
      ...[loss?.policy, loss?.prediction, loss?.kl].map((value) => (value === undefined ? '–' : short(value))),
      clipShare === null ? '–' : precisePercent(clipShare),
      ...roles.map((role) => precisePercent(byRole[role] ?? 0)),
      ...Array.from({ length: turns }, (_, turn) => precisePercent(byTurn[turn] ?? 0)),
      String(halfIn),
      `${precisePercent(largest.share)} (${largest.trajectory})`,
      cosine === null ? '–' : cosine.toFixed(3),
      equalLambda === null ? '–' : short(equalLambda),
    ];
    return [row];
  };
  return [title, ...rows.flatMap(cells)];
}

/** Sentences below the table. */
export function whatIfNotes({ rows, advantages, logProbs, echo }: WhatIf): string[] {
  return [
    ...rows.flatMap(({ name, lacks }) => (lacks.length === 0 ? [] : [`Not ${name}: it needs ${lacks.join(', ')}.`])),
    'Half in: trajectories that have half of Σ |∂loss/∂logp|; largest: the largest share, and whose.',
    'Shares are of Σ |∂loss/∂logp|; cosine: of ∂loss/∂logp with that of what was used, weight × advantage. Neither is of parameters.',
    `Advantages: ${advantages === 'the batch' ? 'the batch’s own' : 'each loss’s own, from rewards and groups'}. An entropy bonus and a critic’s loss do not act on log-probs and are left out.`,
    ...(logProbs === 'logp' ? [] : [`The policy’s log-probs are those of ${logProbs}, so that every ratio is 1.`]),
    ...(echo === null
      ? ['There are no observations that ECHO could predict.']
      : [
          `ECHO adds ${echo.loss === null ? 'a loss that needs log-probs of observations' : `the loss ${short(echo.loss)}`} at λ ${echo.lambda}; at “λ as actions” observations weigh as much as actions.`,
        ]),
  ];
}
