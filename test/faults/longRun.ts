/** A run of 10,000 updates that this browser keeps, in Chromium: it is opened, drawn, walked through and left, in bounded memory. */
import type { Page } from 'playwright-core';
import { goTo } from '../support/page';
import { type Fault, times } from './fault';
import { LINK, type Site, train, UPDATES, visiting } from './page';

const LONG = 10_000;
/** Bytes of the page's memory at most: its curves, several times over. */
const MOST_BYTES = 400 * 2 ** 20;

/** Makes the kept run one of so many updates: its own, again and again; runs in the page. */
async function lengthen(updates: number): Promise<void> {
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await asked(indexedDB.open('unmask'));
  const stores = database.transaction(['runs', 'curves'], 'readwrite');
  const [run] = await asked<{ id: number; run: string; experiment: object }[]>(stores.objectStore('runs').getAll());
  const [curves] = await asked<{ values: Float32Array; seconds: Float32Array }[]>(
    stores.objectStore('curves').getAll(),
  );
  if (run === undefined || curves === undefined) throw new Error('No run is kept.');
  const size = curves.values.length / curves.seconds.length;
  const values = Float32Array.from({ length: size * updates }, (_, i) => curves.values[i % curves.values.length] ?? 0);
  const seconds = new Float32Array(updates).fill(0.5);
  // Its policies are kept under the run's own id: without them it is as long as its curves.
  const longer = {
    ...run,
    run: 'a'.repeat(32),
    updates,
    experiment: { ...run.experiment, updates },
    bytes: values.byteLength,
  };
  await asked(stores.objectStore('runs').put(longer));
  await asked(stores.objectStore('curves').put({ ...curves, values, seconds }, run.id));
  database.close();
}

/** Bytes of the page's own memory, after what nobody needs was freed. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

export function longRunFaults(site: () => Promise<Site>): readonly Fault[] {
  return [
    {
      name: 'page-long-run',
      injected: 'A kept run of 10,000 updates is opened, drawn in every place, and left for another',
      times: times(1, 5),
      async inject() {
        return visiting(await site(), 'block', async ({ page, url }) => {
          await page.goto(url + LINK);
          await train(page);
          await page.locator(`[data-testid=status][data-kept="${UPDATES}"]`).waitFor();
          await page.evaluate(lengthen, LONG);
          const next = await page.context().newPage();
          await page.close();
          await next.goto(url + LINK);
          await goTo(next, 'runs');
          await next.getByTestId('show-run').click();
          await next.locator(`[data-testid=status][data-phase=restored][data-update="${LONG}"]`).waitFor();
          for (const place of ['why', 'sure', 'training', 'runs', 'lab']) {
            await goTo(next, place);
            if (place !== 'lab') await next.getByTestId(place === 'runs' ? 'runs' : `place-${place}`).waitFor();
          }
          await next.locator('[data-testid=chart-successRate] svg').first().waitFor();
          const bytes = await heapOf(next);
          if (bytes > MOST_BYTES) return `${Math.round(bytes / 2 ** 20)} MiB`;
          await next.locator('[data-testid=run]:visible, [data-testid=run-first]:visible').first().click();
          await next.locator('[data-testid=status][data-phase=running]').waitFor();
          return null;
        });
      },
    },
  ];
}
