/**
 * The published lab, as `npm run build` writes it, on a plain file server below a path: it trains in Chromium, requests
 * nothing from other servers, and finds every file that it requests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, cp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, inject, test, vi } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { CALMLY } from '../support/labPage';
import { sampled } from '../support/nightly';
import { backendLine, chooseBackend, goTo, openGear } from '../support/page';
import { scriptsOfPage } from '../support/published';
import { type StaticServer, serveFolder } from '../support/staticServer';

const folder = inject('siteFolder');

const browser = chromiumHere();

/** What a Worker of the lab does when it is told to: by then it may hold a file that came from anyone. */
const misbehave = async (address: string): Promise<Record<string, boolean>> => {
  // As a task of its own: browsers let their developers' consoles, and what tests evaluate, do more.
  await new Promise((resolve) => setTimeout(resolve));
  const allowed = (attempt: () => unknown): Promise<boolean> =>
    new Promise((resolve) => resolve(attempt())).then(
      () => true,
      () => false,
    );
  const answered = new Promise((resolve, reject) => {
    const worker = new Worker('data:text/javascript,postMessage(1)', { type: 'module' });
    worker.onmessage = resolve;
    worker.onerror = reject;
  });
  return {
    fetch: await allowed(() => fetch(address, { mode: 'no-cors' })),
    import: await allowed(() => import(`${address}script.js`)),
    function: await allowed(() => new Function('return 1')()),
    worker: await allowed(() => answered),
    webAssembly: await allowed(() => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))),
  };
};

interface Opened {
  server: StaticServer;
  page: Page;
  /** Console errors and warnings, and uncaught exceptions. */
  complaints: string[];
  /** Addresses that the page and its Workers requested, without fragments. */
  asked: string[];
  close(): Promise<void>;
}

interface Opening {
  readonly from?: string;
  readonly serviceWorkers?: 'allow' | 'block';
  readonly loadsAhead?: boolean;
  /** Files that do not arrive, from the first request on. */
  readonly missing?: RegExp;
}

async function open({ from = folder, serviceWorkers = 'block', loadsAhead, missing }: Opening = {}): Promise<Opened> {
  const server = await serveFolder(from, '/some/where/unmask/');
  const context = await browser().newContext({ viewport: { width: 1440, height: 860 }, serviceWorkers });
  if (loadsAhead) await context.addInitScript(() => Reflect.deleteProperty(navigator, 'connection'));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isOfTests = message.text().includes('blocked by Playwright');
    if ((message.type() === 'error' || message.type() === 'warning') && !isOfTests) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const asked: string[] = [];
  context.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) asked.push(request.url().replace(/#.*/, ''));
  });
  // As after the next version has taken this one's place.
  if (missing !== undefined) await context.route(missing, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${server.url}#preset=gridworld-tiny&updates=6`);
  const close = async () => {
    await context.close();
    await server.close();
  };
  return { server, page, complaints, asked, close };
}

test.each(sampled(['cpu', 'webgpu'], 2))('trains on %s from a subfolder of a plain file server', async (backend) => {
  const loadsAhead = backend === 'cpu';
  const { server, page, complaints, asked, close } = await open({ loadsAhead });
  await chooseBackend(page, backend);
  await page.getByTestId('run-first').click();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
  expect(await page.getByTestId('status').getAttribute('data-update')).toBe('6');
  expect((await backendLine(page)).kind).toBe(backend);
  await page.locator('[data-testid=chart-successRate] svg').first().waitFor();
  // Parts that nobody has opened come if the browser need not save data.
  const cameAhead = () => asked.some((file) => file.includes('/KernelsPage-'));
  await vi.waitFor(() => expect(cameAhead()).toBe(loadsAhead), 60_000);
  // Panels still load while the run ends, and the browser lists a request before the server does.
  const served = () => server.requests.map(({ path }) => server.url + path.replace('index.html', ''));
  await vi.waitFor(() => expect(asked.toSorted()).toEqual(served().sort()), 60_000);
  expect(server.requests.filter(({ status }) => status !== 200)).toEqual([]);
  expect(served().some((address) => address.includes('/worker-'))).toBe(true);
  expect(complaints).toEqual([]);
  const elsewhere = await serveFolder(folder, '/');
  const kinds = new Set<string>();
  for (const worker of page.workers()) {
    kinds.add(worker.url().replace(/.*#|-.*/g, ''));
    expect(await worker.evaluate(misbehave, elsewhere.url), worker.url()).toEqual({
      fetch: false,
      import: false,
      function: false,
      worker: false,
      webAssembly: true,
    });
  }
  if (backend === 'cpu' && availableParallelism() > 1) expect(kinds).toContain('pageWorker');
  expect(kinds).toContain('worker');
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
  await close();
});

test('every file but the page, the policies and models and the licences has its content in its name, and the page names no other address', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const shipped = readdirSync('public', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const fixed = files.map(({ name }) => name).filter((name) => !/-[\w-]{8}\.\w+$/.test(name));
  const others = ['LICENSE.txt', 'THIRD_PARTY.txt', '_headers', 'index.html', 'serviceWorker.js'];
  expect(fixed.filter((name) => !shipped.includes(name)).sort()).toEqual(others);
  expect(fixed).toHaveLength(others.length + shipped.length);
  for (const name of ['LICENSE', 'THIRD_PARTY']) {
    const source = existsSync(name) ? name : `${name}.txt`;
    expect(readFileSync(join(folder, `${name}.txt`), 'utf8')).toBe(readFileSync(source, 'utf8'));
  }
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.filter((address) => !address?.startsWith('./assets/'))).toEqual([]);
});

test('what the page needs before a run can be started is at most 222 kB of JavaScript, compressed', () => {
  const scripts = scriptsOfPage(folder);
  expect(scripts.length).toBeGreaterThan(1);
  const sizes = scripts.map((path) => gzipSync(readFileSync(join(folder, path))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThanOrEqual(222_000);
  expect(scripts.filter((path) => /ort|onnx|\/Plot|worker/.test(path))).toEqual([]);
});

test('what the first chart is drawn with is at most 4 kB of it more', () => {
  const plots = readdirSync(join(folder, 'assets')).filter((name) => /^Plot-.*\.js$/.test(name));
  // The bundler may make a second one, which only hands over what the first has.
  const sizes = plots.map((name) => gzipSync(readFileSync(join(folder, 'assets', name))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(1000);
  expect(total).toBeLessThanOrEqual(4000);
});

test('its content security policy lets nothing else in, and Help names the packages it contains', async () => {
  const { page, close } = await open();
  const refused = await page.evaluate(async () => {
    const refused = new Promise<string[]>((resolve) => {
      const violated: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        violated.push(effectiveDirective);
        if (violated.length === 3) resolve(violated.sort());
      });
    });
    const inline = document.createElement('script');
    inline.textContent = 'globalThis.ran = true';
    const foreign = document.createElement('img');
    foreign.src = 'http://127.0.0.1:9/pixel.png';
    document.body.append(inline, foreign);
    fetch('http://127.0.0.1:9/').catch(() => {});
    return refused;
  });
  expect(refused).toEqual(['connect-src', 'img-src', 'script-src-elem']);
  await openGear(page);
  await page.getByTestId('help').click();
  await page.getByTestId('packages').locator('summary').click();
  await page.getByText(/^react \d+\.\d+\.\d+, MIT$/).waitFor();
  await close();
});

test('a part that does not arrive is missing alone: the run goes on, and it comes when it is asked for again', async () => {
  const isPart = /assets\/(SpeedPanel|PoliciesPage|KernelsPage|Drawn|Plot|ComparePanel|policies|kernels)-/;
  const { page, close } = await open({ missing: isPart });
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
  await goTo(page, 'policies');
  const missing = (part: string) => page.locator('[data-kind=missing]').filter({ hasText: `${part} cannot be shown.` });
  await missing('The policies').waitFor();
  const places = { speed: 'Speed', sure: 'The comparison', kernels: 'The page of kernels' };
  for (const [place, part] of Object.entries(places)) {
    await goTo(page, place);
    await missing(part).waitFor();
  }
  const parts = ['The charts', 'The page of kernels'];
  for (const part of parts) await missing(part).waitFor();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
  await page.context().unroute(isPart);
  /** At a place that one comes back to, a part that was loaded ahead meanwhile is simply there. */
  const comes = async (part: string, testId: string) => {
    const again = missing(part).getByTestId('again');
    await again.or(page.getByTestId(testId)).first().waitFor();
    if (await again.isVisible()) await again.click();
    await page.getByTestId(testId).waitFor();
  };
  for (const part of parts) await missing(part).getByTestId('again').click();
  await page.getByTestId('kernels').waitFor();
  await goTo(page, 'policies');
  await comes('The policies', 'read-with-another');
  await goTo(page, 'sure');
  await comes('The comparison', 'compare-table');
  await goTo(page, 'lab');
  await page.locator('[data-testid=chart-successRate] svg').first().waitFor();
  expect(await page.locator('[data-kind=missing]').count()).toBe(0);
  await close();
});

test('after one visit it opens, reloads and trains without a server, and says when there is a newer version', async () => {
  const copy = `${folder}-kept`;
  await cp(folder, copy, { recursive: true });
  const { server, page, close } = await open({ from: copy, serviceWorkers: 'allow' });
  const train = async () => {
    await chooseBackend(page, 'cpu');
    await page.getByTestId('run-first').click();
    await page.locator('[data-testid=status][data-phase=finished]').waitFor();
  };
  // A run that is not wholly kept yet asks before the page goes.
  page.on('dialog', (dialog) => dialog.accept());
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, CALMLY);
  const newVersion = page.locator('[data-kind=new-version]');
  for (const isOffline of [false, true]) {
    await appendFile(join(copy, 'serviceWorker.js'), '\n// Another version.');
    await page.reload();
    await newVersion.waitFor();
    if (isOffline) await server.close();
    await page.getByTestId('reload').click();
    // The newer one serves the page: it says no more that there is one.
    await newVersion.waitFor({ state: 'detached' });
  }
  await page.reload();
  await train();
  await goTo(page, 'kernels');
  await page.getByTestId('kernels').waitFor();
  await goTo(page, 'lab');
  await page.locator('[data-testid=chart-successRate]').waitFor();
  expect(await page.locator('[data-kind=new-version], [data-kind=missing]').count()).toBe(0);
  await close();
  await rm(copy, { recursive: true, force: true });
});
