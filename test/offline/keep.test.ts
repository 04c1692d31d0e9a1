/** A newer version of the lab: the person who asks for it gets a page again, whether or not the newer one takes over. */
import { beforeEach, expect, test, vi } from 'vitest';
import { keepOffline, RELOAD_AFTER } from '../../src/offline/keep';

type Listener = (event: { isUpdate?: boolean }) => void;

/** Workbox, of which the test says what happens. */
const browser = vi.hoisted(() => {
  const listeners: [string, Listener][] = [];
  return {
    listeners,
    asked: 0,
    happen: (type: string, event = {}) => {
      for (const [wanted, hear] of [...listeners]) if (wanted === type) hear(event);
    },
  };
});

vi.mock('workbox-window', () => ({
  Workbox: class {
    addEventListener = (type: string, hear: Listener) => browser.listeners.push([type, hear]);
    messageSkipWaiting = (): void => {
      browser.asked += 1;
    };
    register = async () => {};
    update = async () => {};
  },
}));

const reload = vi.fn();
/** Addresses of what the browser keeps. */
let kept: readonly string[];

beforeEach(() => {
  browser.listeners.length = 0;
  browser.asked = 0;
  kept = ['https://host/assets/index-1.js', './index.html'];
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} } });
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('caches', { match: async (address: string) => (kept.includes(address) ? {} : undefined) });
  vi.stubGlobal('document', {
    addEventListener() {},
    querySelector: () => ({ src: 'https://host/assets/index-1.js' }),
  });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    reload.mockClear();
  };
});

/** Opens the page. Returns the ways to the newer version that it was told. */
async function open(): Promise<(() => void)[]> {
  const told: (() => void)[] = [];
  await keepOffline((way) => told.push(way));
  return told;
}

test('it reloads as soon as the newer version has taken over', async () => {
  const told = await open();
  expect(told).toHaveLength(0);
  browser.happen('waiting');
  told[0]?.();
  expect(browser.asked).toBe(1);
  expect(reload).not.toHaveBeenCalled();
  browser.happen('controlling', { isUpdate: true });
  expect(reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(RELOAD_AFTER);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('where the newer version does not take over, it reloads after a while', async () => {
  const told = await open();
  browser.happen('waiting');
  told[0]?.();
  vi.advanceTimersByTime(RELOAD_AFTER);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a page whose files are kept no more since a newer version took over under way says so', async () => {
  kept = ['./index.html'];
  const [way] = await open();
  way?.();
  expect(reload).toHaveBeenCalledTimes(1);
  kept = [];
  expect(await open()).toHaveLength(0);
});
