/**
 * The built page in Firefox: it trains on the CPU, and a link that it shares gives the same curves when it is opened again; and on
 * WebGPU, turned on by preferences.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { FirefoxPage, findFirefox, WITH_WEBGPU } from '../support/firefox';
import { isNightly } from '../support/nightly';

const place = isNightly ? findFirefox() : 'It is nightly.';
let page: FirefoxPage;

beforeAll(async () => {
  if (typeof place !== 'string') page = await FirefoxPage.open(place, WITH_WEBGPU);
});
afterAll(() => page?.close());

const of = (testId: string): string => `document.querySelector('[data-testid="${testId}"]')`;

/** Every number of the success rate, at full precision, once the run has ended. */
async function trained(): Promise<string[]> {
  await page.press('run-first');
  await page.until(`${of('status')}.dataset.phase === 'finished'`);
  if (await page.value(`${of('table-successRate')}.getAttribute('aria-pressed') !== 'true'`)) {
    await page.press('table-successRate');
  }
  await page.until(`${of('chart-successRate')}.querySelector('.curve-table[aria-busy=false]')`);
  return page.value(`[...${of('chart-successRate')}.querySelectorAll('td[data-arm]')].map((td) => td.dataset.seeds)`);
}

test.runIf(isNightly)('trains on the CPU, and a shared link repeats it to the bit', async ({ skip }) => {
  if (typeof place === 'string') return skip(place);
  await page.goTo(`${inject('siteUrl')}#preset=gridworld-tiny`);
  const first = await trained();
  expect(first.length).toBeGreaterThan(10);
  await page.press('gear');
  await page.until(of('backend-line'));
  expect(await page.value(`${of('backend-line')}.dataset.kind`)).toMatch(/^cpu/);
  await page.press('gear');
  await page.press('share');
  await page.until(`${of('share-url')}?.value`);
  const link = await page.value<string>(`${of('share-url')}.value`);
  expect(link).toContain('#');
  await page.goTo('about:blank');
  await page.goTo(link);
  expect(await trained()).toEqual(first);
  expect(page.complaints).toEqual([]);
});

test.runIf(isNightly)('trains on WebGPU where it is turned on', async ({ skip }) => {
  if (typeof place === 'string') return skip(place);
  const adapter = 'navigator.gpu?.requestAdapter().then((found) => found !== null)';
  if (!(await page.value(adapter))) return skip('Firefox has no adapter here');
  await page.goTo('about:blank');
  await page.goTo(`${inject('siteUrl')}#preset=gridworld-tiny&updates=2`);
  await page.press('gear');
  await page.until(of('backend-choice'));
  await page.value(`(() => {
    const choice = ${of('backend-choice')};
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(choice, 'webgpu');
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await page.until(`${of('backend-line')}.dataset.kind === 'webgpu'`);
  await page.press('gear');
  expect((await trained()).length).toBeGreaterThan(1);
  expect(page.complaints).toEqual([]);
});
