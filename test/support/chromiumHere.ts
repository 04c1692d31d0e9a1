/** One Chromium for the tests of a file, open from the first to the last. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startChromium } from './chromium';

export function chromiumHere(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  return () => browser;
}
