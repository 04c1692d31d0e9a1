/** Styles stay where they are meant: what opens inside a part of the page has no paragraphs or buttons of that part. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Places of the table of arms that dialogs and popovers open in. */
const OPENED_IN = ['arms-foot', 'strip-place', 'chart-head'];
const ELEMENTS = 'p|button|ul|ol|li|h[1-6]|label|input|select|table|td|th';

const sheets = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));

test('no text is smaller than 14 pixels', () => {
  const smaller = sheets.flatMap((name) =>
    Array.from(readFileSync(join('src/ui', name), 'utf8').matchAll(/(?:font(?:-size)?|--size-\w+):[^;]*?\b(\d+)px/g))
      .filter(([, size]) => Number(size) < 14)
      .map(([rule]) => `${name}: ${rule}`),
  );
  expect(smaller).toEqual([]);
});

test('no bare element is styled anywhere below a place in which something is opened', () => {
  expect(sheets.length).toBeGreaterThan(20);
  const leak = new RegExp(`[.](?:${OPENED_IN.join('|')}) (?:${ELEMENTS})\\b`);
  const leaking = sheets.filter((name) => leak.test(readFileSync(join('src/ui', name), 'utf8')));
  expect(leaking).toEqual([]);
});
