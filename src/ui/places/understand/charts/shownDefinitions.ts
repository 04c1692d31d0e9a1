/**
 * Charts of arms' own losses: their weighted sum, and each value that a text shows, under its name. The places of values
 * are counted in each arm for itself (rl/measure/formulaMetrics.ts), so a chart is of the arms that show this name in this place.
 */

import { formulaOf } from '../../../../experiment/arm/ownLosses';
import type { Arm } from '../../../../experiment/experiment';
import { type MetricName, SHOWN } from '../../../../rl/measure/metrics';
import { joinNames } from '../../../kit/format';
import { type ChartDefinition, chart } from '../../../model/charts/kinds/definition';

interface ShownValue {
  readonly metric: MetricName;
  readonly name: string;
  readonly loss: string;
  readonly arm: Pick<Arm, 'id' | 'name'>;
}

const UNIT = 'mean over its tokens';

export function shownCharts(arms: readonly Arm[]): readonly ChartDefinition[] {
  const own = arms.filter(({ losses }) => losses.length > 0);
  if (own.length === 0) return [];
  const values = own.flatMap(shownBy);
  const firsts = values.filter((one, i) => values.findIndex((other) => isSame(one, other)) === i);
  return [
    chart(
      'formulaLoss',
      'Own losses',
      'weighted sum',
      'free',
      'The arm’s own losses with their weights, all together, at the first inner step.',
      { arms: own.map(({ id }) => id) },
    ),
    ...firsts.map((first) => {
      const { metric, name } = first;
      const all = values.filter((other) => isSame(first, other));
      const losses = joinNames([...new Set(all.map(({ loss }) => loss))]);
      const help = `Shown by ${losses} in ${joinNames(all.map(({ arm }) => arm.name))}.`;
      return chart(metric, name, UNIT, 'free', help, { arms: all.map(({ arm }) => arm.id) });
    }),
  ];
}

const isSame = (one: ShownValue, other: ShownValue): boolean => one.metric === other.metric && one.name === other.name;

/** Shown values of an arm in the order of the losses and their lines. */
function shownBy(arm: Arm): ShownValue[] {
  const names = arm.losses.flatMap((loss) => formulaOf(loss.text).shown.map(({ name }) => ({ name, loss: loss.name })));
  return SHOWN.flatMap((metric, i) => {
    const named = names[i];
    return named === undefined ? [] : [{ metric, arm, ...named }];
  });
}
