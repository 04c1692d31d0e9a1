/** A link carries a world that somebody wrote: the page runs it in its sandbox, draws it, and says what is wrong with it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorlds } from '../../src/environments/own/own';
import { encodeLink } from '../../src/experiment/link';
import { withWorld } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { defaultPreset, findPreset } from '../../src/experiment/presets';
import { startChromium } from '../support/chromium';
import { curve, openLab, waitForPhase } from '../support/labPage';
import { walkText } from '../support/ownWorlds';

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
  await openWorlds();
});
afterAll(() => browser?.close());

const small = findPreset('gridworld-tiny')?.experiment ?? defaultPreset.experiment;

const linkTo = (text: string): string =>
  `#${encodeLink(parseExperiment({ ...withWorld(small, text), updates: 4, seeds: 1 }))}`;

test('a link with a world of one’s own trains in another browser, with the same curves', async () => {
  const board = `cells: Array.from({ length }, () => 'floor'), width: length, height: 1, agent: [state.at, 0]`;
  const link = linkTo(walkText({ fields: `told: true, draw: (state) => ({ kind: 'board', ${board} })` }));
  const curves = [];
  for (const viewport of [
    { width: 1440, height: 860 },
    { width: 390, height: 844 },
  ]) {
    const { context, page, complaints } = await openLab(browser, link, { backend: 'cpu', viewport });
    await page.getByTestId('run-first').click();
    await waitForPhase(page, 'finished');
    await page.locator('.world-stage > svg.board').first().waitFor();
    curves.push(await curve(page, 'observationCrossEntropy'));
    expect(complaints).toEqual([]);
    await context.close();
  }
  expect(Object.keys(curves[0] ?? {}).length).toBeGreaterThan(4);
  expect(curves[1]).toEqual(curves[0]);
});

test('a mistake in the world ends the run in a message with its line', async () => {
  const { context, page } = await openLab(browser, linkTo(walkText({ step: '(state) => elsewhere' })), {
    backend: 'cpu',
  });
  await page.getByText('elsewhere is not defined (line 11)').first().waitFor();
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'failed');
  expect(await page.getByTestId('message').first().textContent()).toMatch(/elsewhere is not defined \(line 11\)/);
  await context.close();
});
