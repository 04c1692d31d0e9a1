/** The line of progress: success of each arm on it, and never longer than the terminal. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProgressBar, successWords } from '../../src/cli/run/progressBar';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';

const { stderr } = process;
const before = { isTTY: stderr.isTTY, columns: stderr.columns, hasColors: stderr.hasColors };
let said: string[] = [];
beforeEach(() => {
  said = [];
  vi.spyOn(stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(stderr, before);
});

const members = ['a', 'b'].flatMap((arm, armIndex) => [0, 1].map((seed) => ({ arm, armIndex, seed })));

/** Curves of so many updates; success of member m at update u is u + m. */
function curvesOf(updates: number): Float32Array {
  const curves = new Float32Array(updates * members.length * METRICS.length).fill(9);
  for (let at = 0; at < updates * members.length; at++) {
    curves[at * METRICS.length + METRIC.successRate] = Math.floor(at / members.length) + (at % members.length);
  }
  return curves;
}

test('success is the mean over an arm’s seeds and the last twenty updates', () => {
  expect(successWords(members, curvesOf(0))).toBe('');
  expect(successWords(members, curvesOf(3))).toBe('success a 1.50, b 3.50');
  expect(successWords(members, curvesOf(100))).toBe('success a 90.00, b 92.00');
  const unmeasured = curvesOf(1).fill(Number.NaN);
  expect(successWords(members, unmeasured)).toBe('success a –, b –');
});

const success = () => 'success action-mask 0.25, no-mask 0.50, world-model 0.75';

test.each([
  [60, /^update .*…$/],
  [80, /^update .*…$/],
  [110, /^[█░]{8,24} update .*world-model 0\.75$/],
  [200, /^█{12}░{12} update .* tokens\/s$/],
])('on a terminal of %d columns it stays in its line', (columns, words) => {
  Object.assign(stderr, { isTTY: true, columns });
  new ProgressBar(1000, 0).advance(500, 10, success);
  const shown = said.join('').replace('\r\x1b[K', '');
  expect(shown.length).toBeLessThan(columns);
  expect(shown).toContain('update 500 of 1000 · 0 min 00 s left · success');
  expect(shown).toMatch(words);
});

test('a terminal that does not tell its width is taken for one of 80 columns', () => {
  Object.assign(stderr, { isTTY: true, columns: 0 });
  new ProgressBar(1000, 0).advance(500, 10, success);
  expect(said.join('')).toMatch(/success action-mask 0\.25, no-mask 0\.50.*…$/);
});

test('elsewhere it is a line, whole', () => {
  Object.assign(stderr, { isTTY: false, columns: 40 });
  new ProgressBar(2, 0).advance(1, 10, success);
  expect(said.join('')).toMatch(
    /^█{12}░{12} update 1 of 2 · 0 min .* s left · success .*world-model 0\.75 · .* tokens\/s\n$/,
  );
});

test.each([
  [true, '\x1b[32m████████████\x1b[39m░░░░░░░░░░░░ '],
  [false, '████████████░░░░░░░░░░░░ '],
])('it is green where the terminal shows colours: %s', (hasColors, bar) => {
  Object.assign(stderr, { isTTY: true, columns: 200, hasColors: () => hasColors });
  new ProgressBar(1000, 0).advance(500, 10, success);
  expect(said.join('')).toContain(`\r\x1b[K${bar}update 500`);
});
