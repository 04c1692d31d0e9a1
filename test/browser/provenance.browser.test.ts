/**
 * Numbers of other code, in the page: a result that was sent and a kept run say so, and are reproduced or gone on with by a button
 * that names it. The page says which code it is itself.
 */
import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { decodeResult, encodeResult, type SharedResult } from '../../src/experiment/conclude/result';
import { decodeRunLink } from '../../src/experiment/link/link';
import { codeHere, NUMERICS } from '../../src/experiment/provenance';
import { chromiumHere } from '../support/chromiumHere';
import { ENDLESS, ofWidth, openLab, waitForPhase, waitForUpdate } from '../support/labPage';
import { sampled } from '../support/nightly';
import { backendLine, chooseBackend, goTo, openGear, overflow } from '../support/page';

const browser = chromiumHere();

/** Sent by version 0.2.0 before it kept numerics. */
const SENT = readFileSync('test/fixtures/releases/0.2.0/page/link.txt', 'utf8').trim();
const OTHER = NUMERICS.cpu + 1;

/** Its fragment with a part of the result changed. */
async function sentWith(more: Partial<SharedResult>): Promise<string> {
  const fragment = new URL(SENT).hash;
  const result = await decodeResult(decodeRunLink(fragment).result ?? '');
  return fragment.replace(/result=.*$/, `result=${await encodeResult(() => ({ ...result, ...more }))}`);
}

test('a result that noted no numerics is reproduced as ever; until a setting is changed no other button says Run', async () => {
  const { page } = await openLab(browser(), new URL(SENT).hash);
  await expect.poll(() => page.getByTestId('reproduce').textContent()).toMatch(/^Reproduce: 3 updates$/);
  expect(await page.getByTestId('sent-run').textContent()).toContain('by a version that noted no numerics');
  expect(await page.getByTestId('other-numerics').count()).toBe(0);
  const run = page.getByTestId('run');
  expect([await run.textContent(), await run.isVisible()]).toEqual(['Reproduce', false]);
  // Its title and its words are the same: nothing is cut.
  await page
    .locator('text', { hasText: /^(dotted: sent){2}$/ })
    .first()
    .waitFor();
  const row = page.locator('[data-testid^=sent-] > th').first();
  expect((await row.boundingBox())?.height).toBeLessThan(40);
  await openGear(page);
  await page.getByTestId('help').click();
  const { version } = codeHere('cpu');
  expect(await page.getByTestId('version').textContent()).toMatch(
    new RegExp(`^Version ${version}, (commit [0-9a-f]{12}(\\+changed)?, )?numerics webgpu \\d+, cpu ${NUMERICS.cpu}, `),
  );
});

test('a run whose last digits are others is repeated on the sender’s CPU by a click, to the bit', async () => {
  const { page } = await openLab(browser(), new URL(SENT).hash);
  await chooseBackend(page, 'webgpu');
  await page.getByTestId('reproduce').click();
  // One seed has no band.
  const outcome = () => page.getByTestId('reproduced').getAttribute('data-outcome');
  await expect.poll(outcome, { timeout: 90_000 }).toBe('unknown');
  await page.getByTestId('repeat-exactly').click();
  await expect.poll(outcome, { timeout: 30_000 }).toBe('exact');
  expect(await page.getByTestId('repeat-exactly').count()).toBe(0);
  expect((await backendLine(page)).kind).toBe('cpu');
  // The choice for other runs is as it was.
  expect(await page.getByTestId('backend-choice').inputValue()).toBe('webgpu');
});

test.each(sampled([1440, 390], 2))(
  'a result of other numerics says so %i wide, and is reproduced by a button that does',
  async (width) => {
    const digest = '0123456789abcdef';
    const link = await sentWith({ digest, by: [[0, 'cpu', OTHER, '0.9.9', 'abcdef012345']] });
    const { page } = await openLab(browser(), link, { ...ofWidth(width), backend: 'cpu' });
    const says = page.getByTestId('other-numerics');
    await says.waitFor();
    expect(await says.textContent()).toMatch(
      new RegExp(`version 0.9.9, commit abcdef012345, numerics ${OTHER}. Here cpu has numerics ${NUMERICS.cpu}`),
    );
    expect(await page.getByTestId('reproduce').textContent()).toBe('Reproduce with other numerics: 3 updates');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await page.getByTestId('reproduce').click();
    await waitForPhase(page, 'finished');
    const reproduced = page.getByTestId('reproduced');
    await reproduced.waitFor();
    expect(await reproduced.getAttribute('data-outcome')).toBe('unknown');
    expect(await reproduced.textContent()).toContain(`by version 0.9.9, commit abcdef012345, numerics ${OTHER}.`);
  },
);

test('a kept run of other numerics goes on by a button that says so', async () => {
  const { page } = await openLab(browser(), ENDLESS, { backend: 'cpu' });
  await page.getByTestId('run-first').click();
  await waitForUpdate(page, 2);
  await page.getByTestId('pause').click();
  await waitForPhase(page, 'paused');
  await goTo(page, 'runs');
  await page.getByTestId('kept-run').waitFor();
  await page.goto('about:blank');
  await page.goto(inject('siteUrl'));
  await waitForPhase(page, 'restored');
  const resume = page.getByTestId('resume-kept');
  expect(await resume.textContent()).toMatch(/^Continue from update \d+$/);
  await page.evaluate(renumber, OTHER);
  await page.reload();
  await waitForPhase(page, 'restored');
  await expect.poll(() => resume.textContent()).toMatch(/^Continue from update \d+, with other numerics$/);
  const message = page.locator('[data-kind=kept-policies]');
  expect(await message.textContent()).toMatch(/numerics 2\. Here cpu has numerics 1, .* its numbers differ\./);
  await goTo(page, 'runs');
  await page.getByTestId('run-details').click();
  expect(await page.getByTestId('continue-run').textContent()).toMatch(
    /^Continue from update \d+, with other numerics$/,
  );
  await goTo(page, 'lab');
  await resume.click();
  await waitForPhase(page, 'running');
});

/** Writes another numerics number into every kept run; runs in the page. */
async function renumber(numerics: number): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('unmask');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  await new Promise<void>((resolve, reject) => {
    const writing = database.transaction('runs', 'readwrite');
    writing.objectStore('runs').openCursor().onsuccess = ({ target }) => {
      const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
      if (cursor === null) return;
      const machines = cursor.value.machines.map((entry: { code: object }) => ({
        ...entry,
        code: { ...entry.code, numerics },
      }));
      cursor.update({ ...cursor.value, machines });
      cursor.continue();
    };
    writing.oncomplete = () => resolve();
    writing.onerror = () => reject(writing.error);
  });
  database.close();
}
