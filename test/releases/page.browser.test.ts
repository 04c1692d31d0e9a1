/**
 * The built page where the page of an earlier release kept a run: the run is on screen again, and goes on where its policies were
 * kept.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { CALMLY, curve, waitForPhase } from '../support/labPage';
import { PAUSED } from './cases';
import type { Numbers } from './numbers';
import { fillStorage } from './storage';

const ROOT = 'test/fixtures/releases';
const METRIC = 'observationCrossEntropy';
const browser = chromiumHere();

test.each(readdirSync(ROOT))('a run that the page of %s kept is on screen, and goes on', async (release) => {
  const kept = gunzipSync(readFileSync(join(ROOT, release, 'page', 'kept.json.gz'))).toString();
  const then: Numbers = JSON.parse(readFileSync(join(ROOT, release, 'runs', 'plain', 'result.json'), 'utf8'));
  const numbers = then.arms.flatMap(({ id, seeds }) =>
    (seeds[0]?.curve[METRIC] ?? []).map((value, update) => [`${id} ${update}`, String(value)] as const),
  );
  const context = await browser().newContext();
  const page = await context.newPage();
  await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${inject('siteUrl')}empty`);
  await page.evaluate(fillStorage, kept);
  await page.goto(inject('siteUrl'));
  await waitForPhase(page, 'restored');
  await expect.poll(() => curve(page, METRIC)).toEqual(Object.fromEntries(numbers.slice(0, PAUSED.before)));
  // Version 0.1.0 kept no policies: its run is begun again.
  const goOn = release === '0.1.0' ? 'run' : 'resume-kept';
  await page.getByTestId(goOn).click();
  await waitForPhase(page, 'finished');
  await page.waitForFunction(
    (last) => document.querySelector('[data-testid=status]')?.getAttribute('data-update') === last,
    String(numbers.length),
    CALMLY,
  );
  // A chart follows some redraws later.
  await expect.poll(() => curve(page, METRIC)).toEqual(Object.fromEntries(numbers));
  await context.close();
});
