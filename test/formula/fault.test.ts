// The line that first gave a number that is not finite.
import { expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import { type Fault, firstFault } from '../../src/formula/fault';

/** Three tokens in two turns of one trajectory. */
const structure = {
  tokenTurn: Int32Array.of(0, 0, 1),
  tokenIndex: Int32Array.of(0, 1, 2),
  tokenWeight: Float64Array.of(1, 0, 1),
  turnTrajectory: Int32Array.of(0, 0),
  turnNumber: Int32Array.of(0, 1),
  trajectoryGroup: Int32Array.of(0),
  groups: 1,
};
const inputs = { logp: [-0.1, 0, -2], entropy: [1, 1, 1], old_logp: [-0.1, -0.1, -1], advantage: [1, 1, -1] };

const faultOf = (lines: readonly string[], parameters: readonly number[] = []): Fault | null =>
  firstFault(compile(lines.join('\n')), structure, inputs, parameters);

test.each<[string, string[], Fault | null]>([
  ['finite everywhere', ['loss = -logp'], null],
  [
    'the loss itself',
    ['# a comment', 'p = exp(logp)', 'loss = log(p - 0.5)'],
    { line: 3, text: 'log(p - 0.5)', of: 'value' },
  ],
  [
    'a line before it',
    ['gap = log(-1 - logp)', 'd = gap * 2', 'loss = d * logp'],
    { line: 1, text: 'log(-1 - logp)', of: 'value' },
  ],
  [
    'through a mean of others',
    ['x = log(logp + 1)', 'loss = mean_trajectory(x) * logp'],
    { line: 1, text: 'log(logp + 1)', of: 'value' },
  ],
  ['only the branch taken', ['x = log(logp + 1)', 'loss = where(logp > -1, x, logp)'], null],
  [
    'the branch taken',
    ['x = log(logp + 1)', 'y = x', 'loss = y if logp < -1 else 0'],
    { line: 1, text: 'log(logp + 1)', of: 'value' },
  ],
  [
    'a line over several',
    ['loss = (', '  logp', '  / (logp + 2))'],
    { line: 1, text: '( logp / (logp + 2))', of: 'value' },
  ],
  [
    'only steep',
    ['gap = abs(logp + 2)', 'root = sqrt(gap)', 'loss = root'],
    { line: 2, text: 'sqrt(gap)', of: 'slope' },
  ],
  ['without a weight', ['loss = sqrt(-logp)'], null],
  [
    'small in float32 alone',
    ['tiny = exp(100 * logp - 80)', 'loss = log(tiny)'],
    { line: 2, text: 'log(tiny)', of: 'value' },
  ],
  ['what is read', ['loss = logp * old_logp'], null],
])('%s', (_, lines, fault) => {
  expect(faultOf(lines)).toEqual(fault);
});

test('an input that is not finite is nobody’s line', () => {
  const broken = { ...inputs, logp: [Number.NaN, Number.NaN, Number.NaN] };
  expect(firstFault(compile('p = exp(logp)\nloss = -p'), structure, broken, [])).toBeNull();
});

test('numbers of parameters count as they are set', () => {
  const lines = ['param low = 1 in [0, 1]', 'loss = logp / low'];
  expect([faultOf(lines, [1]), faultOf(lines, [0])]).toEqual([null, { line: 2, text: 'logp / low', of: 'value' }]);
});
