/** Steps of a way to a state of the page, each by what a person does or waits for; a test id is that of the first of its kind. */
import type { Page } from 'playwright-core';
import { chooseBackend, goTo } from '../../support/page';

export type Step = (page: Page) => Promise<unknown>;

/** Steps one after the other, some of them ways themselves. */
export type Way = readonly (Step | Way)[];

export async function walk(page: Page, way: Step | Way): Promise<void> {
  if (typeof way === 'function') await way(page);
  else for (const part of way) await walk(page, part);
}

/** Goes to a place with the experiment that is open. */
export const to =
  (place: string): Step =>
  (page) =>
    goTo(page, place);

export const runOn =
  (backend: string): Step =>
  (page) =>
    chooseBackend(page, backend);

/** Presses one after the other, each by its test id. */
export const press =
  (...testIds: string[]): Step =>
  async (page) => {
    for (const testId of testIds) await page.getByTestId(testId).first().click();
  };

/** Clicks the first that a selector finds. */
export const click =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().click();

/** Opens or closes what is folded. */
export const unfold = (testId: string): Step => click(`[data-testid="${testId}"] summary`);

export const check =
  (testId: string): Step =>
  (page) =>
    page.getByTestId(testId).check();

export const fill =
  (testId: string, text: string): Step =>
  (page) =>
    page.getByTestId(testId).fill(text);

/** Writes a value and confirms it by Enter. */
export const enter = (testId: string, value: string): Way => [
  fill(testId, value),
  (page) => page.getByTestId(testId).press('Enter'),
];

export const choose =
  (testId: string, value: string): Step =>
  (page) =>
    page.getByTestId(testId).selectOption(value);

/** Chooses in a list by its label. */
export const chooseBy =
  (label: string, value: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).selectOption(value);

/** Presses a key where the focus is. */
export const key =
  (name: string): Step =>
  (page) =>
    page.keyboard.press(name);

/** Waits until a selector finds something. */
export const found =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().waitFor();

/** Waits until a text is on the page. */
export const said =
  (text: string | RegExp): Step =>
  (page) =>
    page.getByText(text).first().waitFor();

/** Waits for what has a test id, and for a text in it where one is given. */
export const seen =
  (testId: string, text?: string): Step =>
  (page) => {
    const one = page.getByTestId(testId).first();
    return (text === undefined ? one : one.getByText(text).first()).waitFor();
  };

/** Waits for a message of a kind. */
export const messaged = (kind: string): Step => found(`[data-testid=message][data-kind=${kind}]`);

/** Waits until the run is in a phase. */
export const phase = (name: string): Step => found(`[data-testid=status][data-phase=${name}]`);

export const run: Way = [press('run-first'), phase('finished')];

/** Chooses a kind of dream, which is drawn. */
export const dream = (choice: string): Way => [choose('dream', choice), found('[data-testid^=dream-agreement]')];

/** Opens an address as if it were typed again: the page takes what it says. */
export async function arrive(page: Page, address: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator('main:visible').waitFor();
}
