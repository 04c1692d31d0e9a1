/** A press counts for what was pressed, though what was written a moment ago is drawn before the button is let go. */
import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { chromiumHere } from '../support/chromiumHere';
import { keepRun } from '../support/keptRun';
import { openLab } from '../support/labPage';
import { goTo } from '../support/page';

const browser = chromiumHere();

/** Presses the middle of a control and does not let go. */
async function press(page: Page, control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await control.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
}

/** Waits until the browser keeps a run of which this is true, and all that came of it is drawn. */
async function untilKept(page: Page, key: string, value: unknown): Promise<void> {
  await page.waitForFunction(
    ([name, wanted]) =>
      new Promise<boolean>((tell) => {
        const opening = indexedDB.open('unmask');
        opening.onsuccess = () => {
          const asked = opening.result.transaction('runs').objectStore('runs').getAll();
          asked.onsuccess = () => {
            tell(asked.result.some((run: Record<string, unknown>) => run[name as string] === wanted));
            opening.result.close();
          };
        };
      }),
    [key, value] as const,
  );
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

async function openRuns() {
  const { page } = await openLab(browser(), '');
  await page.getByTestId('run-first').waitFor();
  await keepRun(page, defaultPreset.experiment, 12);
  await page.goto('about:blank');
  await page.goto(inject('siteUrl'));
  await goTo(page, 'runs');
  await page.getByTestId('run-details').click();
  return page;
}

test('a note, a star and a pin that follow each other at once are all taken, and move no button', async () => {
  const page = await openRuns();
  const [star, pin] = [page.getByTestId('star-run'), page.getByTestId('pin-run')];
  const height = (await star.boundingBox())?.y;
  await page.getByLabel('Note').fill('the one that learned');
  await press(page, star);
  // The press has left the field, which wrote the note.
  await untilKept(page, 'note', 'the one that learned');
  await page.mouse.up();
  await press(page, pin);
  await untilKept(page, 'starred', true);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Unpin' }).waitFor();
  expect(await star.textContent()).toBe('Starred');
  expect((await star.boundingBox())?.y).toBe(height);
  // The words are seen where they are not being written.
  expect(await page.locator('.run-said').count()).toBe(0);
  await page.getByTestId('run-details').click();
  expect(await page.locator('.run-said').textContent()).toBe('the one that learned');
  expect(await page.locator('.run-mark').textContent()).toBe('starred');
});

/** Something comes that moves all below it by its height. */
const moveDown = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const message = document.createElement('div');
    message.style.height = '200px';
    document.querySelector('[data-testid=runs]')?.prepend(message);
  });

test('what moves while it is pressed is clicked; what the pointer leaves is not', async () => {
  const page = await openRuns();
  const star = page.getByTestId('star-run');
  await press(page, star);
  await moveDown(page);
  await page.mouse.up();
  await untilKept(page, 'starred', true);
  await expect.poll(() => star.textContent()).toBe('Starred');
  await press(page, star);
  await page.mouse.move(600, 20, { steps: 4 });
  await page.mouse.up();
  // A checkbox takes a press too, and its click comes after one that the star would have had.
  const box = page.getByTestId('compare-run-1');
  await press(page, box);
  await moveDown(page);
  await page.mouse.up();
  await page.getByTestId('runs-to-curves').waitFor();
  expect(await box.isChecked()).toBe(true);
  expect(await star.textContent()).toBe('Starred');
});
