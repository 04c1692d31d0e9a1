/** The file of a measured machine, what is in it and what is not, and the document made of such files. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { machineOf, machinesDocument } from '../../bench/machinesDocument';
import { browserIn, machineJson } from '../../src/ui/places/machine/speed/machineFile';

const FOLDER = 'docs/machines';
const files = readdirSync(FOLDER).map((name) => machineOf(name, readFileSync(`${FOLDER}/${name}`, 'utf8')));

test('docs/machines.md is what `npm run machines -- docs/machines/*.json` writes', () => {
  expect(readFileSync('docs/machines.md', 'utf8')).toBe(machinesDocument(files));
  expect(machinesDocument(files)).not.toMatch(/NaN|undefined|Infinity/);
});

test('a failed part and a kernel beyond tolerance are told', () => {
  const [file] = files;
  const checks = { cases: 2, of: 3, worst: 4, beyond: [{ name: 'linear 1 row', worst: 4, first: 'out[0, 3]' }] };
  const text = machinesDocument([{ ...file, checks, memory: { failed: 'The GPU stopped answering.' } } as never]);
  expect(text).toMatch(/2 of 3, 1 beyond/);
  expect(text).toMatch(/linear 1 row: out\[0, 3\]/);
  expect(text).toMatch(/memory: The GPU stopped answering\./);
});

test('another file is refused', () => {
  expect(() => machineOf('x.json', '{"subject":"train"}')).toThrow(/x\.json is no file of a measured machine/);
  expect(() => machineOf('x.json', 'nothing')).toThrow(/no file of a measured machine/);
});

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/153.0.0.0 Safari/537.36';

test.each([
  [CHROME, 'Chrome 153 on Linux'],
  [`${CHROME.replace('Headless', '')} Edg/152.0.0.0`, 'Edge 152 on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0', 'Firefox 141 on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari 26 on Mac OS',
  ],
])('of the browser only name and system are kept: %s', (userAgent, words) => {
  expect(browserIn(userAgent)).toBe(words);
});

test('the file is small, and has the day and no time', () => {
  const { text, name } = machineJson(files[0] as never, { userAgent: CHROME, hardwareConcurrency: 8 }, '2026-11-27');
  expect(text.length).toBeLessThan(4000);
  expect(name).toMatch(/^unmask-[a-z0-9-]+\.json$/);
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(
    [
      ...['adapter', 'backend', 'browser', 'checks', 'commit', 'cores', 'day', 'format', 'gpu', 'latency', 'memory'],
      ...['notes', 'presets', 'subject', 'version'],
    ].sort(),
  );
  expect(text).not.toContain('Mozilla');
});
