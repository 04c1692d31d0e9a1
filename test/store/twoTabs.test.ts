/** Two tabs of one browser: each sees the other's runs, a run trains in one of them, and the other shows how it comes along. */
import { beforeEach, expect, test, vi } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import type { KeptRun, RunArchive } from '../../src/storage/runs';
import { UNDO_FOR } from '../../src/store/keep/deletedRuns';
import { openLab } from '../../src/store/openLab';
import { memoryRuns } from '../support/memoryRuns';
import { MemorySnapshots } from '../support/memorySnapshots';
import { FakeBrowser } from '../support/tabs';
import { workers } from './scriptedWorker';

const { experiment } = defaultPreset;
const MEMBERS = experiment.arms.length * experiment.seeds;

beforeEach(() => {
  vi.useFakeTimers();
});
const settled = () => vi.advanceTimersByTimeAsync(100);

/** A browser whose tabs share what is kept. */
function openBrowser() {
  const browser = new FakeBrowser();
  const { archive: memory, runs } = memoryRuns();
  const states = new MemorySnapshots();
  let reading = Promise.resolve();
  /** Curves are read once `open` is called. */
  const holdReading = (): { open: () => void } => {
    let open = (): void => {};
    reading = new Promise((resolve) => (open = resolve));
    return { open };
  };
  const archive: RunArchive = { ...memory, curves: (id) => reading.then(() => memory.curves(id)) };
  const openTab = async (fragment = '') => {
    const { tabs, close } = browser.open();
    const worker = workers();
    const lab = openLab(
      fragment,
      worker.start,
      async () => archive,
      async () => states,
      tabs,
    );
    await settled();
    /** Trains some updates; their policies and curves are kept. */
    const train = async (update: number, count: number) => {
      worker.latest.enter('running', update);
      worker.latest.measure(update, count, MEMBERS);
      const { run } = lab.store.getState();
      const to = update + count;
      const state = new Uint8Array(8);
      await states.put({ run, update: to, updates: 300, seconds: to, from: 0, state, curves: null, healthy: true });
      worker.latest.say({ type: 'kept', update: to, dropped: [] });
      // A run that rests is written at once.
      worker.latest.enter('paused', to);
      worker.latest.enter('running', to);
      await settled();
    };
    return { lab, worker, train, close, state: () => lab.store.getState(), kept: () => lab.kept.store.getState() };
  };
  return { runs, openTab, holdReading };
}

type Tab = Awaited<ReturnType<ReturnType<typeof openBrowser>['openTab']>>;

async function begin({ lab, train }: Tab): Promise<string> {
  lab.editor.run();
  await train(0, 3);
  return lab.store.getState().run;
}

const resumed = ({ worker }: Tab): boolean => worker.latest.commands.some(({ type }) => type === 'start');

test('another tab’s run is in the list as it is kept, is shown and follows, and cannot be trained on', async () => {
  const { openTab } = openBrowser();
  const [one, two] = [await openTab(), await openTab('#preset=gridworld')];
  const run = await begin(one);
  expect(two.kept().runs).toMatchObject([{ run, updates: 3 }]);
  expect(two.kept().elsewhere).toEqual(new Set([run]));
  expect(one.kept().elsewhere).toEqual(new Set());

  await Promise.all([two.lab.kept.show(two.kept().runs[0] as never), settled()]);
  expect(two.state()).toMatchObject({ phase: 'restored', run, update: 3, keptUpdate: 3 });
  two.lab.store.setState({ notice: null });
  await one.train(3, 4);
  expect(two.state()).toMatchObject({ phase: 'restored', run, update: 7, keptUpdate: 7, notice: null });

  await Promise.all([two.lab.runner.resumeKept(), settled()]);
  expect(resumed(two)).toBe(false);
  expect(two.state().phase).toBe('restored');
  expect(one.state().phase).toBe('running');
});

test('a tab that waits for a run can go on with it once the other is closed or crashes', async () => {
  const { openTab } = openBrowser();
  const one = await openTab();
  const run = await begin(one);
  const two = await openTab();
  expect(two.state()).toMatchObject({ phase: 'restored', run });
  expect(two.kept().elsewhere).toEqual(new Set([run]));
  one.close();
  await settled();
  expect(two.kept().elsewhere).toEqual(new Set());
  await Promise.all([two.lab.runner.resumeKept(), settled()]);
  expect(resumed(two)).toBe(true);
});

test('of two tabs that go on with the same run at once, one does', async () => {
  const { openTab } = openBrowser();
  const one = await openTab();
  await begin(one);
  one.close();
  const both = [await openTab(), await openTab()];
  await Promise.all([...both.map(({ lab }) => lab.runner.resumeKept()), settled()]);
  expect(both.map(resumed).filter(Boolean)).toHaveLength(1);
});

test('a run that ended is no tab’s any more', async () => {
  const { openTab } = openBrowser();
  const [one, two] = [await openTab(), await openTab('#preset=gridworld')];
  await begin(one);
  one.worker.latest.enter('finished', 3);
  await settled();
  expect(two.kept().elsewhere).toEqual(new Set());
});

test('what one tab deletes, names or stars is so in the other, also while it trains there', async () => {
  const { runs, openTab } = openBrowser();
  const [one, two] = [await openTab(), await openTab('#preset=gridworld')];
  await begin(one);
  await Promise.all([two.lab.kept.annotate(1, { note: 'look' }), settled()]);
  expect(one.kept().runs).toMatchObject([{ note: 'look' }]);
  await Promise.all([two.lab.kept.remove(1), settled()]);
  expect(one.kept()).toMatchObject({ runs: [], shown: null });
  await vi.advanceTimersByTimeAsync(UNDO_FOR);
  await one.train(3, 4);
  expect([...runs.keys()]).toEqual([]);
  expect(one.state()).toMatchObject({ phase: 'running', update: 7, keptUpdate: null });
  expect(one.worker.latest.commands.at(-1)).toEqual({ type: 'unkeep' });
  expect(one.state().notice).toMatchObject({ text: expect.stringMatching(/deleted.*nothing of it is kept/) });
  // Said once.
  one.lab.store.setState({ notice: null });
  await one.train(7, 1);
  expect(one.state().notice).toBeNull();
});

test('a run that is deleted elsewhere while it trains is kept again as soon as that is taken back', async () => {
  const { openTab } = openBrowser();
  const [one, two] = [await openTab(), await openTab('#preset=gridworld')];
  await begin(one);
  await Promise.all([two.lab.kept.remove(1), settled()]);
  expect(one.kept()).toMatchObject({ shown: null });
  await Promise.all([two.lab.kept.undelete(), settled()]);
  expect(one.kept()).toMatchObject({ shown: 1, runs: [{ id: 1 }] });
  expect(one.state().notice).toBeNull();
});

test('what a tab shows does not change under what is edited there', async () => {
  const { openTab } = openBrowser();
  const one = await openTab();
  await begin(one);
  const two = await openTab();
  two.lab.editor.editArms('learningRate', 0.125, () => true);
  await one.train(3, 4);
  expect([two.state().update, two.state().edited.arms[0]?.learningRate]).toEqual([3, 0.125]);
});

/** A run that was begun while another was read from the archive. */
async function expectKept(tab: Tab, { open }: { open: () => void }): Promise<void> {
  tab.lab.editor.run();
  const { run } = tab.state();
  open();
  await settled();
  expect(tab.state()).toMatchObject({ run, phase: 'preparing' });
  await tab.train(0, 3);
  expect(tab.kept().runs.map((kept) => kept.run)).toContain(run);
}

test('a run that is begun while a visit still reads the one it was left with goes on and is kept', async () => {
  const { openTab, holdReading } = openBrowser();
  await begin(await openTab());
  const held = holdReading();
  await expectKept(await openTab(), held);
});

/** Two tabs, the second of which reads what the first trains until `held` opens. */
async function readingAnother() {
  const { openTab, holdReading } = openBrowser();
  const one = await openTab();
  await begin(one);
  const two = await openTab();
  const held = holdReading();
  await one.train(3, 4);
  return { one, two, held };
}

test('a run that is begun while the tab reads what another tab trains goes on and is kept', async () => {
  const { two, held } = await readingAnother();
  await expectKept(two, held);
});

test('a run that is begun while a kept one is read to be shown, or gone on with, goes on and is kept', async () => {
  const { openTab, holdReading } = openBrowser();
  const one = await openTab();
  const run = await begin(one);
  one.close();
  for (const ask of ['show', 'offer'] as const) {
    const two = await openTab(`#preset=${experiment.preset}`);
    const kept = two.kept().runs.find((other) => other.run === run) as KeptRun;
    two.lab.kept.store.setState({ offered: kept });
    const held = holdReading();
    const asked = ask === 'show' ? two.lab.kept.show(kept) : two.lab.kept.resumeOffered();
    await settled();
    await expectKept(two, held);
    await asked;
    two.close();
  }
});

test('a run that is gone on with while the tab reads what it had when its tab was closed goes on', async () => {
  const { one, two, held } = await readingAnother();
  one.close();
  await settled();
  await Promise.all([two.lab.runner.resumeKept(), settled()]);
  held.open();
  await settled();
  expect(resumed(two)).toBe(true);
  expect(two.state().phase).toBe('preparing');
});
