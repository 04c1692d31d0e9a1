/** A user's world in the page: written, broken, mended, played by hand, trained on, sent; a run that it stops goes on. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { encodeLink } from '../../src/experiment/link/link';
import { withWorld } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import { chromiumHere } from '../support/chromiumHere';
import { CALMLY, curve, openLab, waitForPhase } from '../support/labPage';
import { walkText } from '../support/ownWorlds';
import { overflow, violations } from '../support/page';

const browser = chromiumHere();
beforeAll(openWorlds);

const small = findPreset('gridworld-tiny')?.experiment ?? defaultPreset.experiment;

async function toEditor(page: Page): Promise<void> {
  await page.evaluate(() => location.assign('#world'));
  await page.getByTestId('world-text').waitFor();
}

/** Types over the whole text. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByTestId('world-text').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Waits for the checks; returns the ids of those that do not hold. */
async function checked(page: Page): Promise<(string | null)[]> {
  await page.locator('[data-testid=world-checks][data-checking=false] [data-check]').first().waitFor();
  return page
    .locator('[data-check][data-ok=false]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-check')));
}

test('a world is written, broken, mended, played by hand, trained on, and the same behind its link', async () => {
  const { context, page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=4&seeds=1', {
    backend: 'cpu',
    colorScheme: 'light',
  });
  await toEditor(page);
  // A built-in world has no file, and the page says so.
  const builtIn = page.getByTestId('world-built-in');
  expect(await builtIn.textContent()).toMatch(/plays in Gridworld 4×4, which is built into the lab and has no file/);
  expect(await checked(page)).toEqual([]);
  const board = `cells: Array.from({ length }, () => 'floor'), width: length, height: 1, agent: [state.at, 0]`;
  const fields = `heldOut: 0.3, told: true, draw: (state) => ({ kind: 'board', ${board} })`;

  await write(page, walkText({ fields, start: '({ from }) => ({ state: { at: elsewhere }, say: [] })' }));
  await page.locator('.cm-lintRange-error').first().waitFor();
  expect(await page.locator('.cm-lintRange-error').first().textContent()).toBe('elsewhere');
  await expect.poll(() => page.getByTestId('world-said').textContent()).toContain('elsewhere is not defined (line 10)');
  expect(await page.getByTestId('world-train').isDisabled()).toBe(true);
  expect(await checked(page)).toEqual(['file']);
  // The mistake is told once, though the checks met it, too.
  expect(await page.getByText('elsewhere is not defined').count()).toBe(1);

  await write(page, walkText({ fields }));
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
  await page.locator('[data-testid=world-train]:enabled').waitFor();
  // By the keyboard alone, to the end of the line.
  await page.getByTestId('play-actions').focus();
  const isOver = () =>
    page
      .getByTestId('play-outcome')
      .textContent()
      .then((text) => text?.includes('success') === true);
  for (let turn = 1; turn < 5 && !(await isOver()); turn++) {
    await page.keyboard.press('ArrowRight');
    await page.getByText(`turn ${turn} of at most 12`).waitFor();
  }
  expect(await isOver()).toBe(true);
  await page.keyboard.press('Backspace');
  await expect.poll(isOver).toBe(false);
  expect(await checked(page)).toEqual([]);
  expect(await violations(page, '.workshop')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, '.workshop')).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 860 });

  await page.getByTestId('world-train').click();
  await waitForPhase(page, 'finished');
  await page.locator('.world-stage > svg.board').first().waitFor();
  const curves = await curve(page, 'observationCrossEntropy');
  expect(Object.keys(curves).length).toBeGreaterThan(4);
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-url').inputValue();
  await page.locator('.caption > p', { hasText: 'with your world’s program in it' }).waitFor();
  // A browser that does not let the page copy finds the link selected.
  await page.evaluate(() => {
    const writeText = () => Promise.reject(new Error('not allowed'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
  });
  await page.getByTestId('copy-link').click();
  await page.getByTestId('copy-link').locator('..').getByText('the link is selected, copy it yourself').waitFor();
  const selected = await page.getByTestId('share-url').evaluate((field: HTMLInputElement) => {
    return document.activeElement === field && field.selectionEnd === field.value.length && field.selectionStart === 0;
  });
  expect(selected).toBe(true);
  await context.close();

  const second = await openLab(browser(), link.slice(link.indexOf('#')), {
    backend: 'cpu',
    viewport: { width: 390, height: 844 },
  });
  await second.page.getByText('is a program that whoever made the link wrote').waitFor();
  await second.page.getByTestId('run').click();
  await waitForPhase(second.page, 'finished');
  expect(await curve(second.page, 'observationCrossEntropy')).toEqual(curves);
  // Nothing was written there: the editor has the world of the link.
  await toEditor(second.page);
  await second.page.getByRole('button', { name: 'Train with the lab’s arms' }).waitFor();
  expect(await second.page.getByLabel('Name', { exact: true }).inputValue()).toBe('walk');
  expect(await second.page.getByTestId('world-text').textContent()).toContain('Reach the end of the line.');
  expect([...complaints, ...second.complaints]).toEqual([]);
});

test('a run that its world stops waits with the line, and goes on in the file that was mended in the editor', async () => {
  const step = `(state) => elsewhere`;
  const experiment = parseExperiment({ ...withWorld(small, walkText({ step })), updates: 4, seeds: 1 });
  const { page } = await openLab(browser(), `#${encodeLink(experiment)}`, { backend: 'cpu' });
  await page.getByText('elsewhere is not defined (line 11)').first().waitFor();
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'stranded');
  const message = page.locator('[data-testid=message][data-kind=world]');
  expect(await message.textContent()).toMatch(/elsewhere is not defined \(line 11\)/);
  await message.getByTestId('edit-world').click();
  await page.getByTestId('world-text').waitFor();
  await page.getByTestId('play-actions').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(
    () => document.querySelector('[data-testid=world-said]')?.textContent?.includes('(line 11)') === true,
    null,
    CALMLY,
  );
  await write(page, walkText());
  await page.locator('[data-testid=world-mend]:enabled').click();
  await waitForPhase(page, 'finished');
});

/** Counts how often the page comes to a timer and to a frame. */
async function beats(page: Page): Promise<{ timers: number; frames: number }> {
  return page.evaluate(() => (window as unknown as { beats: { timers: number; frames: number } }).beats);
}

const BEATS = `
  window.beats = { timers: 0, frames: 0 };
  setInterval(() => window.beats.timers++, 50);
  const frame = () => requestAnimationFrame(() => { window.beats.frames++; frame(); });
  frame();
`;

/** Whichever of the two ends a call first: the sandbox's own meter or, on a machine that is busy, the page's clock. */
const endOf = (field: string, line: number): RegExp =>
  new RegExp(`^${field}\\(\\) (did not come to an end|worked on and on, so the page ended it) \\(line ${line}\\)`);

test('a link whose world hangs in the sandbox’s own code where it is drawn leaves the page answering, which says which line', async () => {
  // Normalizing so much took hours, in code that never asked whether it may go on.
  const hang = String.raw`(state) => { let s = '\u0301\u0316'; while (s.length < 1e6) s += s; s.normalize('NFD'); return null; }`;
  const fields = `heldOut: 0.3, told: true,\n      draw: ${hang}`;
  const experiment = { ...withWorld(small, walkText({ fields })), updates: 4, seeds: 1 };
  const { page, complaints } = await openLab(browser(), '', { backend: 'cpu' });
  await page.addInitScript(BEATS);
  await page.goto(`${page.url().split('#')[0]}?again#${encodeLink(experiment)}`);
  await page.getByText('is a program that whoever made the link wrote').waitFor();
  const ended = endOf('draw', 9);
  await page.getByText(ended).first().waitFor();
  const { timers, frames } = await beats(page);
  expect(timers).toBeGreaterThan(10);
  expect(frames).toBeGreaterThan(10);
  // Training never draws. Its episodes are played, and the boards say the same.
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  await page.locator('.worlds-arms').getByText(ended).first().waitFor();
  expect(complaints).toEqual([]);
});

/** Put before the code of the Worker of worlds: where a call of `draw` is said to begin, it loops without end, in no sandbox. */
const LOOPS = `{
  const post = self.postMessage.bind(self);
  self.postMessage = (event) => {
    post(event);
    while (event.type === 'calls' && event.call?.said === 'draw()');
  };
}`;

test('a call that no meter ends is ended by the page’s clock, with its line, and another Worker answers what comes next', async () => {
  const fields = 'heldOut: 0.3, told: true,\n      draw: () => null';
  const experiment = { ...withWorld(small, walkText({ fields })), updates: 4, seeds: 1 };
  const { page, complaints } = await openLab(browser(), '', { backend: 'cpu' });
  const scripts = /assets\/worker-[^/]*\.js/;
  await page.context().route(scripts, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${LOOPS}\n${await answer.text()}` });
  });
  await page.addInitScript(BEATS);
  await page.goto(`${page.url().split('#')[0]}?again#${encodeLink(experiment)}`);
  await page.getByText('draw() worked on and on, so the page ended it (line 9).').first().waitFor();
  const { timers, frames } = await beats(page);
  // It waits ten seconds for a call.
  expect(timers).toBeGreaterThan(20);
  expect(frames).toBeGreaterThan(20);
  await page.context().unroute(scripts);
  await toEditor(page);
  await write(page, walkText());
  await page.locator('[data-testid=world-train]:enabled').click();
  await waitForPhase(page, 'finished');
  expect(complaints).toEqual([]);
});

test('a world that works on and on is told with its line, and mended in the editor', async () => {
  const start = `({ from }) => { const all = Array(300000).fill(from); for (;;) [...all]; }`;
  const experiment = { ...withWorld(small, walkText({ start })), updates: 4, seeds: 1 };
  const { page, complaints } = await openLab(browser(), `#${encodeLink(experiment)}`, { backend: 'cpu' });
  await page.getByText(endOf('start', 10)).first().waitFor();
  await toEditor(page);
  await write(page, walkText());
  await page.locator('[data-testid=world-train]:enabled').click();
  await waitForPhase(page, 'finished');
  expect(complaints).toEqual([]);
});

test('worlds that come with the lab are drawn at the start, in every arm, and in runs that were kept', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=world-bandit&updates=3&seeds=1', {
    backend: 'cpu',
  });
  await page.locator('[data-testid=boards] .drawing').first().waitFor();
  await page.getByText('A random policy succeeds in').waitFor({ state: 'attached' });
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  const arms = await page.locator('.worlds-arms .world').count();
  await expect.poll(() => page.locator('.worlds-arms .drawing').count()).toBe(arms);
  await page.goto('about:blank');
  await page.goto(inject('siteUrl'));
  await waitForPhase(page, 'restored');
  await page.locator('[data-testid=no-episodes] .drawing').first().waitFor();
  expect(complaints).toEqual([]);
});
