/** A formula in words, for screen readers. */
import type { Notation } from '../../../foundation/notation';
import { formatSetting } from '../../kit/format';

/** The formula in words, for a screen reader. */
export function speak(formula: Notation): string {
  return read(formula)
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .replace(/,(\s*,)+/g, ',')
    .replace(/,$/, '')
    .trim();
}

function read(formula: Notation): string {
  switch (formula.kind) {
    case 'symbol':
      return formula.spoken ?? formula.text;
    case 'number':
      return formatSetting(formula.value);
    case 'operator':
      return formula.spoken;
    case 'words':
      return formula.text;
    case 'row':
      return formula.parts.map(read).join(' ');
    case 'under':
      return `${read(formula.base)} over ${read(formula.under)}, of`;
    case 'index':
      return `${read(formula.base)} ${read(formula.index)}`;
    case 'power':
      return `${read(formula.base)} to the power ${read(formula.power)}`;
    case 'fraction':
      return `${read(formula.over)} divided by ${read(formula.under)},`;
    case 'root':
      return `the root of ${read(formula.of)},`;
    case 'cases':
      return formula.rows
        .map(({ value, condition }) => `${read(value)} ${condition === null ? 'otherwise' : `if ${read(condition)}`},`)
        .join(' ');
    default:
      return formula satisfies never;
  }
}
