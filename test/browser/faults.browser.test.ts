/** Faults of the published page in their short form; `npm run faults -- --page` injects them more often. */
import { expect, inject, test } from 'vitest';
import { injectAll } from '../faults/fault';
import { faultsOfPage } from '../faults/registry';
import { chromiumHere } from '../support/chromiumHere';
import { sampled } from '../support/nightly';

const browser = chromiumHere();

const faults = faultsOfPage(async () => ({ browser: browser(), folder: inject('siteFolder') }));

test.for(sampled(faults, 3))('$name: nothing is lost', async (fault) => {
  const count = await fault.times.short();
  expect(count).toBeGreaterThan(0);
  expect((await injectAll(fault, count)).lost).toEqual([]);
});
