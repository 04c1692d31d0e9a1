/**
 * Runs whose states are kept: one whose page is gone goes on from the newest kept state, or from the one before it, and ends
 * with the numbers of an undisturbed run.
 */
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { codeHere } from '../../src/experiment/provenance';
import { LabError } from '../../src/foundation/errors';
import type { Save } from '../../src/storage/snapshots';
import type { BackendChoice } from '../../src/train/protocol';
import { readKept } from '../../src/train/run/keep/keptStates';
import { faultyGpuHere } from '../support/faultyGpuHere';
import { MemorySnapshots } from '../support/memorySnapshots';
import { endedPage, finishedPage, SessionPage, twoMembers } from '../support/sessionPage';

const RUN = 'ab12';
const UPDATES = 12;
const experiment = twoMembers(UPDATES);

faultyGpuHere();

function open(choice: BackendChoice, archive: MemorySnapshots, resume = false): SessionPage {
  const keeping = { run: RUN, resume, open: async () => archive };
  return new SessionPage(choice, experiment, () => {}, { keeping });
}

/** A storage without room. */
function fullArchive(): MemorySnapshots {
  const archive = new MemorySnapshots();
  archive.refuse = () => {
    throw new LabError('storage', 'There is no room (a test says so).', 'Delete runs.');
  };
  return archive;
}

/** Trains so many updates one at a time, each kept; then the page is gone. */
async function cutOff(choice: BackendChoice, updates: number, archive: MemorySnapshots): Promise<SessionPage> {
  const page = open(choice, archive);
  await page.session.prepare(false);
  for (let update = 1; update <= updates; update++) {
    page.session.step();
    await page.until(({ events }) => events.some((event) => event.type === 'kept' && event.update === update));
    if (update === 2) page.session.change([{ arm: '*', setting: 'learningRate', value: 0.003 }]);
  }
  await page.session.dispose();
  return page;
}

/** Goes on to the end in another page. */
async function goneOn(choice: BackendChoice, archive: MemorySnapshots): Promise<SessionPage> {
  const page = open(choice, archive, true);
  await page.session.prepare(true);
  const isKept = (): boolean => [...page.of('resumed'), ...page.of('kept')].some(({ update }) => update === UPDATES);
  await page.until(({ phase }) => (phase === 'finished' && isKept()) || phase === 'failed');
  expect(page.of('error')).toEqual([]);
  await page.session.dispose();
  return page;
}

async function undisturbed(choice: BackendChoice): Promise<number[]> {
  const page = open(choice, new MemorySnapshots());
  await page.session.prepare(false);
  for (let update = 1; update <= 2; update++) {
    page.session.step();
    await page.until(({ phase, events }) => phase === 'paused' && events.some((event) => event.type === 'kept'));
  }
  page.session.change([{ arm: '*', setting: 'learningRate', value: 0.003 }]);
  page.session.resume();
  await page.until(({ phase }) => phase === 'finished');
  return page.curves;
}

describe.each(['cpu', 'webgpu'] as const)('on %s', (choice) => {
  test('a run that was cut off ends as an undisturbed one, bit for bit', async () => {
    const archive = new MemorySnapshots();
    await cutOff(choice, 5, archive);
    expect(archive.entries.get(RUN)).toMatchObject({ updates: UPDATES, states: [{ update: 4 }, { update: 5 }] });
    // The other choice of a backend does not count: the run goes on where it began.
    const page = await goneOn('auto', archive);
    const [resumed] = page.of('resumed');
    expect(resumed).toMatchObject({ update: 5, updates: UPDATES, timeline: [{ update: 2, value: 0.003 }] });
    expect(page.machines).toEqual([{ update: 0, backend: choice, code: codeHere(choice) }]);
    const curves = page.curves;
    expect(curves.length).toBeGreaterThan(0);
    expect(curves).toEqual(await undisturbed(choice));
  });
});

describe('a trainer that takes the place of one that ended', () => {
  const WHAT = 'The trainer stopped unexpectedly.';

  /** Another trainer of a run that has a change after its last kept state. */
  async function replaced(archive: MemorySnapshots | null, timeline: Experiment['timeline'], restsFor: string | null) {
    const keeping = archive === null ? null : { run: RUN, resume: true, open: async () => archive };
    const ended = { what: WHAT, update: 5, restsFor };
    return endedPage('cpu', { ...experiment, timeline }, () => {}, { keeping, ended });
  }
  const early = { update: 2, arm: '*', setting: 'learningRate', value: 0.003 };
  const late = { ...early, update: 4, value: 0.004 };
  const alone = async (timeline: Experiment['timeline']): Promise<number[]> =>
    (await finishedPage('cpu', { ...experiment, timeline })).curves;

  test('goes on from the kept state with every change since, and ends as an undisturbed one, bit for bit', async () => {
    const archive = new MemorySnapshots();
    await cutOff('cpu', 3, archive);
    const timeline = [early, late];
    const page = await replaced(archive, timeline, null);
    expect(page.of('resumed')).toMatchObject([{ update: 3, isKept: true, timeline }]);
    expect(page.of('notice')).toMatchObject([
      {
        kind: 'recovered',
        update: 3,
        text: expect.stringMatching(/^The trainer stopped .* from update 3, to the same/),
      },
    ]);
    expect(page.curves).toEqual(await alone(timeline));
  });

  test.each(['nothing is kept', 'what is kept is of other changes', 'what is kept is damaged'])(
    'begins again where %s, to the same numbers',
    async (why) => {
      const archive = new MemorySnapshots();
      await cutOff('cpu', 3, archive);
      if (why.endsWith('damaged')) for (const update of [2, 3]) archive.damage(RUN, update);
      const timeline = [why.includes('other') ? { ...early, update: 1 } : early];
      const page = await replaced(why.startsWith('nothing') ? null : archive, timeline, null);
      expect(page.of('resumed')).toMatchObject([{ update: 0, isKept: false }]);
      expect(page.of('notice')[0]?.text).toMatch(/from the beginning/);
      expect(page.curves).toEqual(await alone(timeline));
    },
  );
});

test('a session that is left when it is over has its last state kept first', async () => {
  let store = (): void => {};
  class SlowSnapshots extends MemorySnapshots {
    override async put(save: Save): Promise<readonly string[]> {
      await new Promise<void>((resolve) => {
        store = resolve;
      });
      return super.put(save);
    }
  }
  const archive = new SlowSnapshots();
  const page = open('cpu', archive);
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'finished');
  let isLeft = false;
  const left = page.session.leave().then(() => {
    isLeft = true;
  });
  const kept = (): number => archive.entries.get(RUN)?.states.at(-1)?.update ?? 0;
  while (kept() < UPDATES) {
    expect(isLeft).toBe(false);
    store();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await left;
});

test('a damaged state is said, and the one before it leads to the same end', async () => {
  const archive = new MemorySnapshots();
  await cutOff('cpu', 5, archive);
  archive.damage(RUN, 5);
  const page = await goneOn('cpu', archive);
  expect(page.of('resumed')[0]?.update).toBe(4);
  expect(page.of('notice').map(({ text }) => text)).toEqual([expect.stringMatching(/damaged; it goes on .* update 4/)]);
  expect(page.curves).toEqual(await undisturbed('cpu'));
  const kept = await readKept(archive, RUN);
  expect([kept.snapshot.update, kept.remarks]).toEqual([UPDATES, []]);
});

test('damaged curves are missing and said; the policies go on', async () => {
  const archive = new MemorySnapshots();
  await cutOff('cpu', 3, archive);
  archive.damageCurves(RUN);
  const { values, seconds, members } = (await goneOn('cpu', archive)).of('resumed')[0] ?? {};
  const size = (values?.length ?? 0) / 3;
  expect(members).toBe(2);
  expect(values?.subarray(0, size).every(Number.isNaN)).toBe(true);
  expect(values?.subarray(size).every(Number.isNaN)).toBe(false);
  expect([...(seconds ?? [])].map(Number.isFinite)).toEqual([false, true, true]);
});

test('with no whole state the run does not begin, and says why', async () => {
  const archive = new MemorySnapshots();
  await cutOff('cpu', 2, archive);
  for (const update of [1, 2]) archive.damage(RUN, update);
  const page = open('cpu', archive, true);
  await page.session.prepare(true);
  expect(page.phase).toBe('failed');
  expect(page.of('error')).toMatchObject([{ code: 'storage', message: expect.stringMatching(/checksum/) }]);
});

test('a finished run rests again, and its policies can be saved', async () => {
  const archive = new MemorySnapshots();
  const page = open('cpu', archive);
  await page.session.prepare(true);
  await page.until(({ events }) => events.some((event) => event.type === 'kept' && event.update === UPDATES));
  const request = { arm: experiment.arms[0]?.id ?? '', seed: 0, cached: false, licence: 'MIT' };
  const saved = await page.session.exportPolicy(request);
  await page.session.dispose();
  const again = await goneOn('cpu', archive);
  expect(again.of('metrics')).toEqual([]);
  const reopened = open('cpu', archive, true);
  await reopened.session.prepare(false);
  expect(reopened.phase).toBe('finished');
  expect(Buffer.compare((await reopened.session.exportPolicy(request)).bytes, saved.bytes)).toBe(0);
  reopened.session.extend(UPDATES + 1);
  reopened.session.resume();
  await reopened.until(({ events }) => events.some((event) => event.type === 'kept' && event.update === UPDATES + 1));
});

test('where nothing can be kept it is said once, and training goes on; later it is tried again', async () => {
  const archive = fullArchive();
  const page = open('cpu', archive);
  await page.session.prepare(false);
  for (let update = 1; update <= 2; update++) {
    page.session.step();
    await page.until(({ events }) => events.some((event) => event.type === 'metrics' && event.update === update - 1));
    await page.until(({ phase }) => phase === 'paused');
  }
  expect(page.of('notice').map(({ kind, text }) => [kind, text])).toEqual([
    ['not-kept', expect.stringMatching(/no room .* Training goes on/)],
  ]);
  archive.refuse = () => {};
  page.session.resume();
  await page.until(({ events }) => events.some((event) => event.type === 'kept' && event.update === UPDATES));
  await page.session.dispose();
  expect((await readKept(archive, RUN)).seconds.every(Number.isFinite)).toBe(true);
});

test('the state of a run that rests is kept as soon as there is room, though nothing trains any more', async () => {
  const archive = fullArchive();
  const page = open('cpu', archive);
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'finished');
  await page.until(({ events }) => events.some((event) => event.type === 'notice'));
  archive.refuse = () => {};
  await page.until(({ events }) => events.some((event) => event.type === 'kept' && event.update === UPDATES));
});
