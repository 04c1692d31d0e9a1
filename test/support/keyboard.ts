/** Walk through the page by Tab and arrow keys, as without a pointer, and the problems found on the way. */
import type { CDPSession, Page } from 'playwright-core';
import type { KeyboardWatch } from './keyboardInPage';
import { loadAxe } from './page';

declare const keyboardWatch: KeyboardWatch;

const CODES = { Tab: 9, Home: 36, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 } as const;
/** Most keys pressed before the test looks where they have led. */
const AT_ONCE = 50;
/** Most presses of Tab; no page has as many stops. */
const MOST = 1000;
/** Rounds of presses without a step before Tab counts as held: a busy page may answer a round late. */
const ROUNDS = 3;

/** Presses a key several times without waiting in between, which would take most of the time. */
async function press(session: CDPSession, key: keyof typeof CODES, times: number): Promise<void> {
  const which = { key, code: key, windowsVirtualKeyCode: CODES[key] };
  const presses = Array.from({ length: times }, () => [
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...which }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...which }),
  ]);
  await Promise.all(presses.flat());
}

/** Problems in a part of a page that `watchKeyboard` watches. `isOpened`: the part was opened and given the focus. */
export async function keyboardProblems(page: Page, part: string, isOpened: boolean): Promise<string[]> {
  await loadAxe(page);
  const { count, nameless, pointerOnly } = await page.evaluate(
    ([within, opened]) => keyboardWatch.begin(within, opened),
    [part, isOpened] as const,
  );
  const found = [
    ...nameless.map((one) => `has no name: ${one}`),
    ...pointerOnly.map((one) => `answers to a pointer only: ${one}`),
  ];
  // A part with words only, such as a tooltip.
  if (count === 0) return found;
  const session = await page.context().newCDPSession(page);
  // Before Tab too: an open list closes when Tab leads out of it.
  await goAlongComposites(page, session);
  const isThrough = await goThrough(page, session, Math.min(AT_ONCE, count + 2));
  await goAlongComposites(page, session);
  await session.detach();
  const { unreached, unseen, behind } = await page.evaluate(() => keyboardWatch.end());
  return [
    ...found,
    ...(isThrough ? [] : ['Tab does not lead through']),
    ...unreached.map((one) => `is reached by no key: ${one}`),
    ...unseen.map((one) => `does not show that it has the focus: ${one}`),
    ...behind.map((one) => `has the focus behind what is open: ${one}`),
  ];
}

/** True if Tab leads through the part and out of it, or back to where it began. */
async function goThrough(page: Page, session: CDPSession, atOnce: number): Promise<boolean> {
  let [before, held, isThrough] = [-1, 0, false];
  for (let pressed = 0; !isThrough && held < ROUNDS && pressed < MOST; pressed += atOnce) {
    await press(session, 'Tab', atOnce);
    const { steps, ...progress } = await page.evaluate(() => keyboardWatch.progress());
    held = steps === before ? held + 1 : 0;
    [before, isThrough] = [steps, progress.isThrough];
  }
  return isThrough;
}

async function goAlongComposites(page: Page, session: CDPSession): Promise<void> {
  const composites = await page.evaluate(() => keyboardWatch.composites());
  for (let index = 0; index < composites; index++) {
    const members = await page.evaluate((at) => keyboardWatch.enter(at), index);
    const settled = () => page.evaluate((at) => keyboardWatch.settled(at), index);
    await press(session, 'Home', 1);
    await press(session, 'ArrowRight', members);
    await press(session, 'ArrowDown', members);
    if ((await settled()) === 0) continue;
    // Home may lead to the first member of a part alone, such as a trajectory: there may be others above.
    await press(session, 'ArrowUp', 2 * members);
    await press(session, 'Home', 1);
    await press(session, 'ArrowRight', members);
    await settled();
  }
}

/** Problems with Escape: it must close the part and give the focus back. A part that has closed is opened again by key. */
export async function escapeProblems(page: Page, open: string): Promise<string[]> {
  const isOpen = async () => (await page.locator(open).count()) > 0;
  if (await isOpen()) await page.evaluate(() => keyboardWatch.returnInside());
  else {
    const key = await page.evaluate(() => keyboardWatch.returnToOpener());
    // Some parts open as soon as their opener has the focus.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    if (key !== null && !(await isOpen())) await page.keyboard.press(key);
    await page
      .locator(open)
      .first()
      .waitFor({ timeout: 20_000 })
      .catch(() => {});
    if (!(await isOpen())) return ['is opened by no key'];
  }
  await page.keyboard.press('Escape');
  await page
    .locator(open)
    .first()
    .waitFor({ state: 'detached', timeout: 20_000 })
    .catch(() => {});
  if (await isOpen()) return ['is not closed by Escape'];
  return (await page.evaluate(() => keyboardWatch.isBack())) ? [] : ['Escape does not give the focus back'];
}
