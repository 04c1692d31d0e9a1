/**
 * Line of an arm's formula that first gave a non-finite number, as one number among the metrics, so that it stays with
 * the curves wherever they are kept: FORMULA · (the formula's place in the arm, from 1) + the line; negative where only
 * the line's derivative is not finite.
 */

import { formulaLosses } from '../../experiment/arm/roleRegularisers';
import type { Arm } from '../../experiment/experiment';
import type { Fault } from '../../formula/fault';

/** More than lines that a text can have; float32 holds every such number. */
const FORMULA = 10_000;

export interface FormulaFault {
  /** The formula's name. */
  readonly loss: string;
  /** Number of the line, from 1, and its text. */
  readonly line: number;
  readonly text: string;
  readonly of: Fault['of'];
}

/** `place`: among formulaLosses(arm), from 0. */
export const faultMetric = (place: number, { line, of }: Fault): number =>
  (of === 'value' ? 1 : -1) * (FORMULA * (place + 1) + line);

/** Fault that a metric tells. `metric`: NaN or null where there is none. `arm`: with the settings it was trained with. */
export function faultOfMetric(arm: Arm, metric: number | null): FormulaFault | null {
  if (metric === null || Number.isNaN(metric)) return null;
  const size = Math.abs(metric);
  const loss = formulaLosses(arm)[Math.floor(size / FORMULA) - 1];
  const line = size % FORMULA;
  const text = loss?.text.split('\n')[line - 1]?.trim();
  if (loss === undefined || text === undefined) return null;
  return { loss: loss.name, line, text, of: metric > 0 ? 'value' : 'slope' };
}

const LONGEST = 80;

/** Fault in words, without a full stop. */
export function faultInWords({ loss, line, text, of }: FormulaFault): string {
  const excerpt = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const what = of === 'value' ? 'the first number that is not finite' : 'a slope that is not finite';
  return `line ${line} of the formula ${loss}, “${excerpt}”, gave ${what}`;
}
