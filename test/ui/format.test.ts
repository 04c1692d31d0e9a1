/** Numbers as text: a true minus sign, and no sign on a number that rounds to 0. */
import { expect, test } from 'vitest';
import { formatDecimals, formatMeasured, formatPercent, formatSigned } from '../../src/ui/kit/format';

test('what rounds to nothing has no sign', () => {
  expect([-0.004, -0, 0, 0.004].map((value) => formatDecimals(value, 2))).toEqual(['0.00', '0.00', '0.00', '0.00']);
  expect([-0.004, 0.004].map((value) => formatSigned(value, 2))).toEqual(['0.00', '0.00']);
  expect([-0.004, -0].map(formatPercent)).toEqual(['0%', '0%']);
});

test('any other sign is kept, as a minus or, where it is asked for, a plus', () => {
  expect([-0.006, -12, 0.3].map((value) => formatDecimals(value, 2))).toEqual(['−0.01', '−12.00', '0.30']);
  expect([-0.3, 0.3].map((value) => formatSigned(value, 2))).toEqual(['−0.30', '+0.30']);
  expect([-0.006, -0.5].map(formatPercent)).toEqual(['−1%', '−50%']);
});

test('a small measurement is not rounded to nothing', () => {
  expect([-0.0012, 0.0012, 0, -3.456].map(formatMeasured)).toEqual(['−0.0012', '0.0012', '0.00', '−3.46']);
});
