/** Controls, words and height of the lab before a run, as a first visit finds it: how much there is to look at. */
import type { Page } from 'playwright-core';
import type { Site } from './perfMeasures';

export interface Counts {
  readonly window: string;
  /** Number of those that can be pressed or written into without scrolling. */
  readonly inSight: number;
  readonly controls: number;
  readonly words: number;
  /** Height of the page, pixels. */
  readonly height: number;
}

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1200, height: 800 },
  { width: 390, height: 844 },
] as const;

export async function measureCounts({ browser, server }: Site): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (const viewport of WINDOWS) {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByTestId('recorded-run').waitFor();
    await page.waitForLoadState('networkidle');
    counts.push({ window: `${viewport.width} × ${viewport.height}`, ...(await count(page)) });
    await context.close();
  }
  return counts;
}

const count = (page: Page): Promise<Omit<Counts, 'window'>> =>
  page.evaluate(() => {
    const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]');
    const seen = [...all].filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const isInSight = (one: Element): boolean => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    };
    return {
      inSight: seen.filter(isInSight).length,
      controls: seen.length,
      // biome-ignore lint/performance/useDomNodeTextContent: what is not seen is not counted
      words: document.body.innerText.split(/\s+/).filter((word) => word !== '').length,
      height: document.documentElement.scrollHeight,
    };
  });
