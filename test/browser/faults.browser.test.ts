/**
 * Faults of the published page in their short form; `npm run faults -- --page` injects them more often. By day those of which
 * no other test has the like (missing parts and newer versions are in publish, crashes in kept).
 */
import { expect, inject, test } from 'vitest';
import { injectAll } from '../faults/fault';
import { faultsOfPage } from '../faults/registry';
import { chromiumHere } from '../support/chromiumHere';
import { isNightly } from '../support/nightly';

const browser = chromiumHere();

const faults = faultsOfPage(async () => ({ browser: browser(), folder: inject('siteFolder') }));

const DAILY = /framed|four-tabs|browser-killed/;

test.for(faults.filter(({ name }) => isNightly || DAILY.test(name)))('$name: nothing is lost', async (fault) => {
  const count = await fault.times.short();
  expect(count).toBeGreaterThan(0);
  expect((await injectAll(fault, count)).lost).toEqual([]);
});
