/**
 * Every state of the page (states/catalogue.ts), in both themes: axe finds nothing, nothing scrolls sideways on a phone
 * or the narrowest screen, and every control is reached, named, seen and left by keyboard. A failure names its state. By day some
 * third of the journeys is made, and some half of their states looked at.
 */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { escapeProblems, keyboardProblems } from '../support/keyboard';
import { watchKeyboard } from '../support/keyboardInPage';
import { sampledByName } from '../support/nightly';
import { overflow, violations, widest } from '../support/page';
import { JOURNEYS } from './states/catalogue';
import {
  DESK,
  goOn,
  hasStalled,
  type Journey,
  leave,
  NARROWEST,
  PHONE,
  partOf,
  type State,
  setOut,
  settle,
} from './states/journey';

const browser = chromiumHere();

/** Violations at desktop size in the light theme, then at phone size in the dark one. */
async function axeProblems(page: Page, part: string): Promise<string[]> {
  const onDesk = (await violations(page, part)).map((found) => `light: ${found}`);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await settle(page);
  const onPhone = (await violations(page, part)).map((found) => `dark, phone: ${found}`);
  const wide = await sidewaysProblems(page);
  await page.setViewportSize(NARROWEST);
  await settle(page);
  wide.push(...(await sidewaysProblems(page)));
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light' });
  await settle(page);
  return [...onDesk, ...onPhone, ...wide];
}

async function sidewaysProblems(page: Page): Promise<string[]> {
  const wide = await overflow(page);
  const { width } = page.viewportSize() ?? DESK;
  return wide > 0 ? [`${width} pixels: scrolls sideways by ${wide}: ${await widest(page)}`] : [];
}

async function problemsOf(page: Page, state: State): Promise<string[]> {
  const { part, isOpened } = await partOf(page, state);
  const found = [...(await axeProblems(page, part)), ...(await keyboardProblems(page, part, isOpened))];
  if (state.escape) found.push(...(await escapeProblems(page, part)));
  return found.map((problem) => `${state.name}, ${problem}`);
}

/** Problems of all states of a journey; it begins again, `again` times at most, where the browser draws the page no more. */
async function travel(journey: Journey, again: number): Promise<string[]> {
  const page = await setOut(browser(), inject('siteUrl'), journey, [watchKeyboard]);
  try {
    const problems: string[] = [];
    const examined = sampledByName(journey.states, 2);
    for (const state of journey.states) {
      await goOn(page, state);
      if (examined.includes(state)) problems.push(...(await problemsOf(page, state)));
      else if (state.escape) await leave(page);
    }
    return problems;
  } catch (error) {
    if (again === 0 || !(await hasStalled(page))) throw error;
    console.warn(`${journey.name}: the browser drew no frames any more; once again. ${error}`);
    return await travel(journey, again - 1);
  } finally {
    await page.context().close();
  }
}

test.concurrent.each(sampledByName(JOURNEYS, 3).map((journey) => [journey.name, journey] as const))(
  '%s: accessible in its states',
  async (_, journey) => expect(await travel(journey, 1)).toEqual([]),
);
