/** The Worker in which a world is tried: newest answers count, and one that a text holds up is ended. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkshopAnswer, WorkshopRequest } from '../../src/environments/own/workshop/asked';
import { Workshop, type WorkshopWorker } from '../../src/store/workshop';

class Scripted implements WorkshopWorker {
  onmessage: WorkshopWorker['onmessage'] = null;
  onerror: WorkshopWorker['onerror'] = null;
  readonly asked: WorkshopRequest[] = [];
  ended = false;

  postMessage(request: WorkshopRequest): void {
    this.asked.push(request);
  }

  terminate(): void {
    this.ended = true;
  }

  say(data: WorkshopAnswer): void {
    this.onmessage?.({ data } as MessageEvent<WorkshopAnswer>);
  }
}

const tried = { text: 'x', settings: {} };
const episode = { task: 1, split: 'train', player: 'hand', actions: [] } as const;

let workers: Scripted[];
let heard: WorkshopAnswer[];
let workshop: Workshop;

beforeEach(() => {
  vi.useFakeTimers();
  [workers, heard] = [[], []];
  workshop = new Workshop(
    () => {
      const worker = new Scripted();
      workers.push(worker);
      return worker;
    },
    (answer) => heard.push(answer),
  );
});
afterEach(() => {
  workshop.close();
  vi.useRealTimers();
});

const last = (): Scripted => workers.at(-1) as Scripted;
const ids = (): number[] => last().asked.map(({ id }) => id);

test('only the answer to the newest request of a kind is heard', () => {
  workshop.check(tried);
  workshop.check(tried);
  const [old = 0, now = 0] = ids();
  last().say({ type: 'checking', id: old, share: 0.5 });
  last().say({ type: 'checking', id: now, share: 0.1 });
  expect(heard).toEqual([{ type: 'checking', id: now, share: 0.1 }]);
});

test('a request finds a Worker that is held up gone, and what else was asked for is asked again', () => {
  workshop.play(tried, episode);
  last().say({ type: 'unplayed', id: ids()[0] ?? 0, mistake: { text: '', line: 0, column: 0, isExhausting: false } });
  workshop.check(tried);
  vi.advanceTimersByTime(300);
  workshop.play(tried, episode);
  expect(workers).toHaveLength(1);
  vi.advanceTimersByTime(900);
  workshop.play(tried, episode);
  expect(workers).toHaveLength(2);
  expect(workers[0]?.ended).toBe(true);
  expect(last().asked.map(({ type }) => type)).toEqual(['check', 'play']);
});

test('one that is being loaded is given time', () => {
  workshop.check(tried);
  vi.advanceTimersByTime(5000);
  workshop.check(tried);
  expect(workers).toHaveLength(1);
});

test('one that is silent for long is ended, and the page says why', () => {
  workshop.check(tried);
  vi.advanceTimersByTime(20_000);
  expect(last().ended).toBe(true);
  expect(heard).toEqual([{ type: 'failed', text: expect.stringContaining('did not come to an end'), isHeldUp: true }]);
});
