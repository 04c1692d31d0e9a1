/** The desk at which a model is taught a text: what it asks its Worker, and what it makes of the answers. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLab } from '../../src/store/openLab';
import { workers } from './scriptedWorker';

const started = workers();

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'http://lab/', addEventListener: () => {} });
  vi.stubGlobal('fetch', async (url: URL) => new Response(url.pathname));
});
afterEach(() => vi.unstubAllGlobals());

const kites = new File(['A kite.'], 'kites.txt');
const memory = { text: 'Takes about 9 MiB.', isLacking: false };
const planned = { kind: 'planned', learned: 3, examined: 1, cut: 0, memory } as const;

async function asked() {
  const lab = openLab('#preset=gridworld-tiny', started.start);
  const desk = await lab.tuning();
  desk.read(kites);
  await vi.waitFor(() => expect(started.latest.commands.at(-1)?.type).toBe('tune'));
  return { lab, desk, worker: started.latest };
}

test('a text is planned with the lab’s own model, and its Worker ends', async () => {
  const { desk, worker } = await asked();
  expect(worker.commands.at(-1)).toMatchObject({ request: { texts: kites, settings: { rank: 0 } }, begins: false });
  expect(desk.store.getState()).toMatchObject({ phase: 'reading', base: { id: 'stories260k' } });
  worker.say({ type: 'tuning', news: planned });
  expect(desk.store.getState()).toMatchObject({ phase: 'idle', planned });
  expect(worker.terminated).toBe(true);
  desk.set({ rank: 8 });
  expect(desk.store.getState().planned).toBeNull();
  await vi.waitFor(() => expect(started.latest.commands.at(-1)).toMatchObject({ request: { settings: { rank: 8 } } }));
});

test('it learns, is stopped, and what came out is kept and begun from', async () => {
  const { lab, desk, worker: planner } = await asked();
  planner.say({ type: 'tuning', news: planned });
  await desk.begin();
  const trainer = started.latest;
  expect(trainer.commands.at(-1)).toMatchObject({ type: 'tune', begins: true });
  trainer.say({ type: 'tuning', news: planned });
  trainer.say({ type: 'tuning', news: { kind: 'examined', update: 0, loss: 3 } });
  trainer.say({ type: 'tuning', news: { kind: 'learned', update: 1, loss: 2 } });
  desk.stop();
  expect(trainer.commands.at(-1)).toEqual({ type: 'stop-tuning' });
  expect(desk.store.getState()).toMatchObject({ phase: 'stopping', learned: [{ loss: 2 }], examined: [{ loss: 3 }] });
  const model = new File(['packed'], 'mine');
  const done = { kind: 'done', updates: 1, before: 3, after: 2, model, folders: [] } as const;
  trainer.say({ type: 'tuning', news: done });
  expect(desk.store.getState()).toMatchObject({ phase: 'idle', done });
  // It is read as any folder is that a person opens.
  await vi.waitFor(() =>
    expect(started.latest.commands.at(-1)).toMatchObject({ type: 'read-model', file: { size: 6 } }),
  );
  expect(lab.store.getState().edited.policy.model).toBe('noise');
});

test('what is discarded leaves nothing, and a later answer is not heard', async () => {
  const { desk, worker: planner } = await asked();
  planner.say({ type: 'tuning', news: planned });
  await desk.begin();
  const trainer = started.latest;
  trainer.say({ type: 'tuning', news: { kind: 'learned', update: 1, loss: 2 } });
  desk.discard();
  expect(trainer.terminated).toBe(true);
  trainer.say({ type: 'tuning', news: { kind: 'learned', update: 2, loss: 1 } });
  expect(desk.store.getState()).toMatchObject({ phase: 'idle', learned: [], planned });
});

test('what is wrong is told, also of a text that is too large', async () => {
  const { desk, worker } = await asked();
  worker.say({
    type: 'error',
    code: 'invalid-experiment',
    message: 'Line 2 is no JSON. Write {"text"}.',
    advice: 'Write {"text"}.',
  });
  expect(desk.store.getState()).toMatchObject({
    phase: 'idle',
    problem: { what: 'Line 2 is no JSON.', advice: 'Write {"text"}.' },
  });
  const large = new File(['a'], 'large.txt');
  Object.defineProperty(large, 'size', { value: 2 ** 26 });
  desk.read(large);
  await vi.waitFor(() =>
    expect(desk.store.getState().problem?.what).toMatch(/large\.txt has 67108864 bytes, more than/),
  );
  expect(desk.store.getState().phase).toBe('idle');
});
