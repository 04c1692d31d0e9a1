/** The ratchet of size: what is counted as code, and that there is no more of it than was agreed. */
import { expect, test } from 'vitest';
import { countLines, linesOfCode, MOST } from '../../scripts/lines.mjs';

test('blank lines and lines of comments are no code', () => {
  const text = `/** What it is.
 * More of it.
 */
// Why.
const a = 1; // With a remark.

/* Short. */ const b = '/* no comment';
/* Before
the end */ const c = 2;
`;
  expect(linesOfCode(text)).toBe(3);
});

test('src and shaders, and the tests, are no longer than was agreed', () => {
  const counts = countLines();
  const of = (name: string): number => counts.get(name) ?? 0;
  expect(of('src')).toBeGreaterThan(50_000);
  const advice = 'Take as much away, or raise MOST in scripts/lines.mjs and say for which power';
  expect(of('src') + of('shaders'), advice).toBeLessThanOrEqual(MOST.product);
  expect(of('test'), advice).toBeLessThanOrEqual(MOST.tests);
});
