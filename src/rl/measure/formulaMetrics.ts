/** Metrics of an update's formulas: their weighted loss, the means of their shown values, and where they failed. */

import { formulaOf } from '../../experiment/arm/ownLosses';
import { formulaLosses } from '../../experiment/arm/roleRegularisers';
import type { Arm } from '../../experiment/experiment';
import { FORMULA_TERM, FORMULA_TERM_COLUMNS } from '../../formula/packing';
import type { FormulaReadback } from '../learn/ownLosses';
import type { Member } from '../population';
import type { Measured } from './examiner';
import { faultMetric } from './formulaFaults';
import { SHOWN } from './metrics';

/** Metrics of formulas; none where no arm has a formula. `arms`: with the settings they were trained with. */
export function formulaMetrics(
  readbacks: readonly FormulaReadback[],
  members: readonly Member[],
  arms: readonly Arm[],
): Measured {
  if (readbacks.length === 0) return [];
  const loss = new Float64Array(members.length).fill(Number.NaN);
  const faults = new Float64Array(members.length).fill(Number.NaN);
  const shown = SHOWN.map((metric) => [metric, new Float64Array(members.length).fill(Number.NaN)] as const);
  members.forEach(({ armIndex }, p) => {
    const arm = arms[armIndex];
    let place = 0;
    for (const [index, ownLoss] of formulaLosses(arm).entries()) {
      const readback = readbacks.find(({ find }) => find(arm)?.name === ownLoss.name);
      const values = formulaOf(ownLoss.text).shown.length;
      if (readback !== undefined) {
        const firstSum = (term: number): number => readback.first[p * FORMULA_TERM_COLUMNS + term];
        const sum = (term: number): number => firstSum(term) + readback.later[p * FORMULA_TERM_COLUMNS + term];
        loss[p] = (Number.isNaN(loss[p]) ? 0 : loss[p]) + firstSum(FORMULA_TERM.loss);
        const fault = readback.faults.get(p);
        if (fault !== undefined && Number.isNaN(faults[p])) faults[p] = faultMetric(index, fault);
        // 0/0 is NaN: undefined without a token.
        for (let i = 0; i < values; i++) shown[place + i][1][p] = sum(FORMULA_TERM.shown + i) / sum(FORMULA_TERM.own);
      }
      place += values;
    }
  });
  return [['formulaLoss', loss], ['formulaFault', faults], ...shown];
}
