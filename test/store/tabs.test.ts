/** Tabs of one browser: a run is one tab's at a time, and the others hear what changes. */
import { expect, test, vi } from 'vitest';
import { tabsOver } from '../../src/store/run/tabs';
import { FakeBrowser } from '../support/tabs';

test('a run is taken by one tab, until it takes another, gives it up or is closed', async () => {
  const browser = new FakeBrowser();
  const [one, two] = [browser.open(), browser.open()];
  expect(await one.tabs.take('a')).toBe(true);
  expect(await one.tabs.take('a')).toBe(true);
  expect(await two.tabs.take('a')).toBe(false);
  expect(await two.tabs.take('b')).toBe(true);
  expect(await one.tabs.elsewhere()).toEqual(new Set(['b']));
  expect(await two.tabs.elsewhere()).toEqual(new Set(['a']));
  expect(await one.tabs.take('c')).toBe(true);
  await vi.waitFor(async () => expect(await two.tabs.take('a')).toBe(true));
  expect(await two.tabs.elsewhere()).toEqual(new Set(['c']));
  expect(await one.tabs.elsewhere()).toEqual(new Set(['a']));
  one.close();
  expect(await two.tabs.take('c')).toBe(true);
  await two.tabs.take(null);
  const three = browser.open();
  await vi.waitFor(async () => expect(await three.tabs.elsewhere()).toEqual(new Set()));
});

test('takings that follow one another at once end with the last', async () => {
  const browser = new FakeBrowser();
  const [{ tabs }, other] = [browser.open(), browser.open()];
  expect(await Promise.all([tabs.take('a'), tabs.take('b'), tabs.take(null), tabs.take('c')])).toEqual(
    Array(4).fill(true),
  );
  await vi.waitFor(async () => expect(await other.tabs.elsewhere()).toEqual(new Set(['c'])));
});

test('where locks are forbidden, a tab is alone and trains', async () => {
  const forbidden = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'));
  const channel = { onmessage: null, postMessage: () => {} };
  const tabs = tabsOver({ channel, locks: { request: forbidden, query: forbidden } as never });
  expect(await tabs.take('a')).toBe(true);
  expect(await tabs.take('b')).toBe(true);
  expect(await tabs.elsewhere()).toEqual(new Set());
});

test('who waits for a run hears when it is free, also because its tab was closed', async () => {
  const browser = new FakeBrowser();
  const [one, two] = [browser.open(), browser.open()];
  await one.tabs.take('a');
  const free = vi.fn();
  const waiting = two.tabs.untilFree('a').then(free);
  await two.tabs.elsewhere();
  expect(free).not.toHaveBeenCalled();
  one.close();
  await waiting;
  expect(free).toHaveBeenCalledOnce();
});

test('news reach the other tabs and not the one that tells them', async () => {
  const browser = new FakeBrowser();
  const heard: string[] = [];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => {
    const { tabs, close } = browser.open();
    tabs.listen(() => heard.push(name));
    return { tabs, close };
  });
  three?.close();
  one?.tabs.tell();
  await two?.tabs.elsewhere();
  expect(heard).toEqual(['two']);
});
