/**
 * A newer version of the page is published while the older one trains, in Chromium: the service worker fetches it beside the run, and
 * none of the older version's files is on the server any more.
 */
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Fault, times } from './fault';
import { begin, policyOf } from './killed';
import { MISSING, openAll, type Site, visiting } from './page';

async function publishAnother(folder: string, page: Page): Promise<void> {
  await appendFile(join(folder, 'serviceWorker.js'), '\n// Another version.');
  // What has not changed is taken from what the browser keeps.
  await rm(join(folder, 'assets'), { recursive: true });
  await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update());
  await page.locator('[data-kind=new-version]').waitFor();
}

/** Trains to the end beside the newer version, or in it: the page is reloaded, and goes on from what it kept. */
async function judge(n: number, page: Page, url: string, folder: string, expected: Buffer): Promise<string | null> {
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(url);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { polling: 100 });
  await page.goto('about:blank');
  await begin(page, url);
  const status = page.locator('[data-testid=status][data-kept]:not([data-kept="0"])');
  await status.waitFor();
  await publishAnother(folder, page);
  if (n % 2 === 1) {
    const acknowledged = Number(await status.getAttribute('data-kept'));
    await page.getByTestId('reload').click();
    const resume = page.getByTestId('resume-kept');
    await resume.waitFor();
    const [, from] = /update (\d+)/.exec((await resume.textContent()) ?? '') ?? [];
    if (Number(from) < acknowledged) return `update ${acknowledged}, which was kept; ${from} is there`;
    await resume.click();
  }
  await openAll(page);
  const missing = await page.locator(MISSING).allInnerTexts();
  if (missing.length > 0) return missing.join('; ');
  return Buffer.compare(await policyOf(page), expected) === 0 ? null : 'the end is another';
}

export function updateFaults(site: () => Promise<Site>, undisturbed: () => Promise<Buffer>): readonly Fault[] {
  return [
    {
      name: 'page-updated',
      injected:
        'Another version takes the place of the one that trains, whose files go; it trains to its end, or is reloaded and goes on in the newer one',
      times: times(2, 10),
      async inject(n) {
        const expected = await undisturbed();
        const { browser, folder } = await site();
        const copy = await mkdtemp(join(tmpdir(), 'unmask-updated-'));
        try {
          await cp(folder, copy, { recursive: true });
          return await visiting({ browser, folder: copy }, 'allow', ({ page, url }) =>
            judge(n, page, url, copy, expected),
          );
        } finally {
          await rm(copy, { recursive: true, force: true });
        }
      },
    },
  ];
}
