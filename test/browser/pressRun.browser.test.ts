/** From the press of Run to the first episode: the question stays, boards are never empty, and none of them moves. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';

const browser = chromiumHere();

interface Seen {
  readonly heading: string;
  readonly question: string | undefined;
  /** Boards with something on them, and the place of the first, pixels. */
  readonly boards: number;
  readonly top: number | undefined;
  /** Place of the first live number, pixels. */
  readonly live: number | undefined;
  readonly drawn: string;
  /** Share of the bar, and what the middle and the header say of it. */
  readonly done: number | undefined;
  readonly told: string | undefined;
  readonly status: string | undefined;
  /** Pixels of the header, and of what it says of the run beyond its place. */
  readonly header: number | undefined;
  readonly cut: number;
}

/** Presses Run and notes what the middle shows, a frame after the other, wherever that is something else. */
async function press(page: Page): Promise<void> {
  // The numbers are loaded apart from the boards.
  await page.locator('.control-live').first().waitFor();
  await page.evaluate(() => {
    const seen: unknown[] = [];
    const note = () => {
      const boards = [...document.querySelectorAll('.world-stage .board:not(.board-empty)')];
      const now = {
        heading: document.querySelector('.playback-heading')?.textContent ?? '',
        question: document.querySelector('.story h2')?.textContent ?? undefined,
        boards: boards.length,
        top: boards[0]?.getBoundingClientRect().top,
        live: document.querySelector('.control-live')?.getBoundingClientRect().top,
        drawn: boards[0]?.outerHTML ?? '',
        done: document.querySelector<HTMLProgressElement>('.run-progress progress')?.position,
        told: document.querySelector('.run-progress p')?.textContent ?? undefined,
        status: document.querySelector('.status-lines')?.textContent ?? undefined,
        header: document.querySelector('header')?.getBoundingClientRect().height,
        cut: Math.max(0, -(document.querySelector('.status-lines')?.getBoundingClientRect().top ?? 0)),
      };
      if (JSON.stringify(seen.at(-1)) !== JSON.stringify(now)) seen.push(now);
      requestAnimationFrame(note);
    };
    Object.assign(globalThis, { seen });
    note();
    document.querySelector<HTMLElement>('[data-testid=run-first]')?.click();
  });
}

const seenIn = (page: Page): Promise<Seen[]> => page.evaluate(() => (globalThis as unknown as { seen: Seen[] }).seen);

function stays(seen: readonly Seen[], boards: number): void {
  expect(new Set(seen.map(({ question }) => question)).size).toBe(1);
  expect(new Set(seen.map((one) => one.boards))).toEqual(new Set([boards]));
  expect([...new Set(seen.map(({ top }) => top))]).toHaveLength(1);
  expect([...new Set(seen.map(({ live }) => live))]).toHaveLength(1);
  expect(new Set(seen.map(({ header, cut }) => `${header} ${cut}`)).size).toBe(1);
  expect(seen[0]?.cut).toBe(0);
}

test('the recorded run plays on until the first demonstration, which is imitated with its curve', async () => {
  const { page, complaints } = await openLab(browser(), '', { backend: 'cpu' });
  await page.getByTestId('recorded-run').locator('.board').first().waitFor();
  await press(page);
  await page.getByText('Imitating a scripted agent').waitFor();
  await page.getByTestId('imitation').locator('.plot-mean path').first().waitFor();
  await page
    .getByTestId('run-progress')
    .getByText(/^Imitating, \d+ of 150\. Then training, 200 updates; about 2 minutes in all\./)
    .waitFor();
  const seen = await seenIn(page);
  stays(seen, 2);
  expect(seen[0]?.heading).toMatch(/^Recorded/);
  // What is imitated is solid, the rest is hatched.
  const solid = page.locator('.world .strip .chip-imitated');
  await solid.first().waitFor();
  expect(await page.locator('.world .strip :is(.chip-policy, .chip-predict)').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an example plays until the first episode, demonstrations come between, and the boards stay where they are', async () => {
  const link =
    '#preset=calculator-searched&seeds=2&batch.groups=2&batch.groupSize=2&warmStart.batch=4&warmStart.updates=12&updates=2';
  const { page, complaints } = await openLab(browser(), link, { backend: 'cpu' });
  await page.getByText('a task as a script plays it').first().waitFor();
  await page.locator('.world .board').first().waitFor();
  await press(page);
  await waitForPhase(page, 'finished');
  await page.getByText('Episodes: update').waitFor();
  const seen = await seenIn(page);
  stays(seen, 2);
  // One bar, which never falls back; what is counted has one number, in the middle and in the header.
  const bar = seen.flatMap(({ done }) => done ?? []);
  expect(bar).toEqual(bar.toSorted((a, b) => a - b));
  const counts = (text: string | undefined) => /(\d+) of \d+/.exec(text ?? '')?.[1];
  for (const { told, status } of seen.filter((one) => one.told !== undefined)) {
    if (counts(status) !== undefined) expect(counts(told), `${told} | ${status}`).toBe(counts(status));
  }
  const parts = seen.flatMap(({ told }) => /^(?:Imitating|Training)(?=, \d+ of 1?2\b)/.exec(told ?? '')?.[0] ?? []);
  expect([...new Set(parts)]).toEqual(['Imitating', 'Training']);
  const headings = seen.map(({ heading }) => heading.replace(/\d+/g, 'N'));
  expect([...new Set(headings)].map((one) => one.split(':')[0])).toEqual(
    expect.arrayContaining(['Example', 'Imitating a scripted agent', 'Episodes']),
  );
  // The legend stays within reach.
  await page.getByRole('button', { name: 'More about the legend' }).click();
  const looks = page.locator('[popover]:popover-open');
  expect(await looks.locator('.chip').allTextContents()).toEqual(['policy', 'prediction', 'imitation', 'masked']);
  expect(complaints).toEqual([]);
});
