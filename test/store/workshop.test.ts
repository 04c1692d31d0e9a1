/**
 * The Worker in which strangers' worlds run: newest questions count, and one that a text holds up is ended, with the function told.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WorkshopEvent, WorkshopQuestion, WorkshopRequest } from '../../src/environments/own/workshop/asked';
import { Workshop, type WorkshopHeard, type WorkshopWorker } from '../../src/store/desk/workshop';

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

  say(data: WorkshopEvent): void {
    this.onmessage?.({ data } as MessageEvent<WorkshopEvent>);
  }
}

const tried = { text: 'x', settings: {} };
const check: WorkshopQuestion = { type: 'check', ...tried };
const play: WorkshopQuestion = {
  type: 'play',
  ...tried,
  episode: { task: 1, split: 'train', player: 'hand', actions: [] },
};
const draw = (task: number): WorkshopQuestion => ({
  type: 'draw',
  place: { world: 'x', id: 'own', settings: { world: 'x' } },
  episode: { task: Int32Array.of(task), tokens: [], roles: [] },
});
const step = { said: 'step()', line: 7, column: 3 };

let workers: Scripted[];
let heard: [who: string, heard: WorkshopHeard | null][];
let workshop: Workshop;

beforeEach(() => {
  vi.useFakeTimers();
  [workers, heard] = [[], []];
  workshop = new Workshop(() => {
    const worker = new Scripted();
    workers.push(worker);
    return worker;
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (who: string, question: WorkshopQuestion): void =>
  workshop.ask(who, question, (answer) => heard.push([who, answer]));
const last = (): Scripted => workers.at(-1) as Scripted;
const ids = (): number[] => last().asked.map((request) => ('id' in request ? request.id : -1));
const types = (): string[] => last().asked.map(({ type }) => type);

test('what a person types is asked at once, and only the newest answer is heard', () => {
  ask('check', check);
  ask('check', check);
  const [old = 0, now = 0] = ids();
  last().say({ type: 'checking', id: old, share: 0.5 });
  last().say({ type: 'checking', id: now, share: 0.1 });
  expect(heard).toEqual([['check', { type: 'checking', id: now, share: 0.1 }]]);
});

test('a board that asks again and again is answered for the newest episode alone, and holds no other board up', () => {
  ask('a', draw(1));
  ask('a', draw(2));
  ask('a', draw(3));
  ask('b', draw(1));
  expect(types()).toEqual(['draw', 'draw']);
  expect(heard).toEqual([['a', null]]);
  const [first = 0] = ids();
  last().say({ type: 'drawn', id: first, scenes: [] });
  expect(heard.at(-1)).toEqual(['a', { type: 'drawn', id: first, scenes: [] }]);
  expect(last().asked.at(-1)).toMatchObject({ type: 'draw', episode: { task: Int32Array.of(3) } });
  expect(last().asked).toHaveLength(3);
});

test('a call that never comes back is ended, and told with its line; another Worker is asked the rest', () => {
  ask('a', draw(1));
  ask('b', draw(1));
  const [first = 0, second = 0] = ids();
  last().say({ type: 'calls', id: first, call: null });
  last().say({ type: 'calls', id: first, call: step });
  vi.advanceTimersByTime(9000);
  expect(workers).toHaveLength(1);
  vi.advanceTimersByTime(2000);
  expect(workers).toHaveLength(2);
  expect(workers[0]?.ended).toBe(true);
  const text = 'step() worked on and on, so the page ended it (line 7).';
  expect(heard).toEqual([
    ['a', { type: 'mistaken', id: first, mistake: expect.objectContaining({ text, line: 7, isExhausting: true }) }],
  ]);
  expect(ids()).toEqual([second]);
});

test('many calls, none of them long, take no more than twenty seconds of one question', () => {
  ask('a', draw(1));
  const [id = 0] = ids();
  for (let second = 0; second < 19; second++) {
    last().say({ type: 'calls', id, call: step });
    vi.advanceTimersByTime(1000);
  }
  expect(heard).toEqual([]);
  last().say({ type: 'calls', id, call: step });
  vi.advanceTimersByTime(2000);
  expect(heard).toMatchObject([['a', { type: 'mistaken' }]]);
});

test('a Worker that is held up by what nobody waits for any more is replaced at once, and what else was asked for is asked again', () => {
  ask('check', check);
  const [id = 0] = ids();
  last().say({ type: 'calls', id, call: step });
  vi.advanceTimersByTime(500);
  ask('check', check);
  ask('play', play);
  vi.advanceTimersByTime(500);
  expect(workers).toHaveLength(2);
  expect(types()).toEqual(['check', 'play']);
  expect(heard).toEqual([]);
});

test('one that is being loaded is given time, and one whose code does not come is told', () => {
  ask('check', check);
  ask('a', draw(1));
  ask('a', draw(2));
  vi.advanceTimersByTime(60_000);
  expect(workers).toHaveLength(1);
  last().onerror?.({ message: '' } as ErrorEvent);
  const failed = { type: 'failed', text: expect.stringContaining('did not arrive') };
  expect(heard).toEqual([
    ['check', failed],
    ['a', failed],
    ['a', failed],
  ]);
  ask('play', play);
  expect(workers).toHaveLength(2);
});

test('checks that are wanted no more are ended, and nothing is heard of them', () => {
  ask('check', check);
  const [id = 0] = ids();
  workshop.forget('check', 'play');
  expect(types()).toEqual(['check', 'rest']);
  last().say({ type: 'checking', id, share: 0.5 });
  expect(heard).toEqual([]);
});
