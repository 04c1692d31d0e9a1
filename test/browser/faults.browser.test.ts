/** Faults of the published page in their short form; `npm run faults -- --page` injects them more often. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { injectAll } from '../faults/fault';
import { faultsOfPage } from '../faults/registry';
import { startChromium } from '../support/chromium';

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

test.for(faultsOfPage(async () => ({ browser, folder: inject('siteFolder') })))(
  '$name: nothing is lost',
  async (fault) => {
    const count = await fault.times.short();
    expect(count).toBeGreaterThan(0);
    expect((await injectAll(fault, count)).lost).toEqual([]);
  },
);
