/**
 * Faults of what the page keeps: its storage, other tabs, the clock. The page's stores run over a storage in memory, and a
 * scripted Worker trains; what is asked afterwards is asked of the next visit.
 */
import { IDBFactory } from 'fake-indexeddb';
import { crc32 } from '../../src/foundation/crc32';
import { METRICS } from '../../src/rl/measure/metrics';
import { countRequests, emptyStorage, failRequests, putForeign } from '../support/fakeStorage';
import { type Fault, times } from './fault';
import { MEMBERS, Tab } from './tab';

/** Updates of the kept runs, as the next visit finds them, the newest first; what it shows has as many. */
async function found(): Promise<number[]> {
  failRequests(() => null);
  const { lab } = new Tab();
  await lab.kept.pin(null);
  const { runs, problem } = lab.kept.store.getState();
  if (problem !== null) throw new Error(problem);
  const updates = runs.map((run) => run.updates);
  const shown = lab.store.getState().history?.count ?? 0;
  if (shown !== (updates[0] ?? 0)) throw new Error(`${shown} updates are shown of ${updates[0]}`);
  return updates;
}

/** Loss, in words; null if there is none. */
async function judged(work: () => Promise<string | null>): Promise<string | null> {
  emptyStorage();
  try {
    return await work();
  } catch (cause) {
    return String(cause);
  } finally {
    failRequests(() => null);
    await Tab.closeAll();
    emptyStorage();
  }
}

const UPDATES = 4;
const NAMES = ['QuotaExceededError', 'UnknownError', 'InvalidStateError'] as const;

/** A run of UPDATES updates, kept after each. */
async function trainAll(tab: Tab): Promise<number> {
  tab.begin();
  let acknowledged = 0;
  for (let update = 0; update < UPDATES; update++) {
    await tab.train();
    acknowledged = Math.max(acknowledged, tab.acknowledged);
  }
  return acknowledged;
}

/** Requests of an undisturbed run. */
let undisturbed: Promise<number> | null = null;

function requestsOfRun(): Promise<number> {
  undisturbed ??= (async () => {
    emptyStorage();
    await trainAll(new Tab());
    const count = countRequests();
    await Tab.closeAll();
    return count;
  })();
  return undisturbed;
}

const everyRequest = async (): Promise<number> => NAMES.length * (await requestsOfRun());

/** Values that nothing of the lab would write. */
const FOREIGN: readonly unknown[] = [
  undefined,
  null,
  {},
  [],
  'text',
  -1,
  Number.NaN,
  1e300,
  new Map(),
  'x'.repeat(1e5),
];
const FIELDS = ['date', 'name', 'note', 'starred', 'updates', 'device', 'machines', 'bytes', 'seconds', 'experiment'];

type Kept = { run: Record<string, unknown>; curves: Record<string, unknown> };
type Curves = { metrics: string[]; values: Float32Array; seconds: Float32Array };

/** Forms in which earlier versions kept a run. */
const OLDER: readonly ((run: Record<string, unknown>, curves: Curves) => Kept)[] = [
  ({ run: _, ...rest }, curves) => ({ run: rest, curves }),
  ({ run: _, seconds: __, ...rest }, { metrics, values }) => ({ run: rest, curves: { metrics, values } }),
  (run, { metrics, values }) => ({
    run,
    curves: {
      metrics: metrics.slice(0, -1),
      values: values.subarray(0, (values.length / metrics.length) * (metrics.length - 1)),
    },
  }),
];

/** A tab of this version beside what a newer one has kept. */
async function newerForm(): Promise<string | null> {
  await Tab.closeAll();
  const newer = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('unmask', 1000);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const tab = new Tab();
  await trainAll(tab);
  const { lab } = tab;
  if (lab.store.getState().update !== UPDATES) return 'training did not go on';
  if (lab.kept.store.getState().problem === null) return 'nothing is said of it';
  const count = await new Promise<number>((resolve) => {
    const counting = newer.transaction('runs').objectStore('runs').count();
    counting.onsuccess = () => resolve(counting.result);
  });
  newer.close();
  return count === 1 ? null : `${count} runs are there of 1`;
}

export const keptRunFaults: readonly Fault[] = [
  {
    name: 'page-storage-error',
    injected: 'A request of the page to the browser’s storage fails (no room, unknown, closed); each of a run in turn',
    times: { short: everyRequest, long: everyRequest },
    inject: (n) =>
      judged(async () => {
        const count = await requestsOfRun();
        emptyStorage();
        failRequests((request) =>
          request === n % count ? (NAMES[Math.floor(n / count) % NAMES.length] ?? null) : null,
        );
        const tab = new Tab();
        const acknowledged = await trainAll(tab);
        if (tab.lab.store.getState().update !== UPDATES) return 'training did not go on';
        const [updates = 0] = await found();
        return updates < acknowledged ? `update ${acknowledged}, which was said to be kept` : null;
      }),
  },
  {
    name: 'page-no-room',
    injected: 'The browser’s storage has no room from a request on, to the end; each of a run in turn',
    times: { short: requestsOfRun, long: requestsOfRun },
    inject: (n) =>
      judged(async () => {
        await requestsOfRun();
        emptyStorage();
        failRequests((request, kind) => (request >= n && kind === 'put' ? 'QuotaExceededError' : null));
        const tab = new Tab();
        const acknowledged = await trainAll(tab);
        const { lab } = tab;
        if (lab.store.getState().update !== UPDATES) return 'training did not go on';
        if (acknowledged < UPDATES && lab.kept.store.getState().problem === null) return 'nothing is said of it';
        const [updates = 0] = await found();
        return updates < acknowledged ? `update ${acknowledged}, which was said to be kept` : null;
      }),
  },
  {
    name: 'page-foreign-record',
    injected: 'Another page of the origin puts something into a field of a kept run',
    times: times(FIELDS.length * FOREIGN.length, FIELDS.length * FOREIGN.length),
    inject: (n) =>
      judged(async () => {
        const tab = new Tab();
        await trainAll(tab);
        const field = FIELDS[n % FIELDS.length] as string;
        const value = FOREIGN[Math.floor(n / FIELDS.length) % FOREIGN.length];
        const [whole] = tab.lab.kept.store.getState().runs;
        await putForeign('unmask', 'runs', { ...whole, id: 50, date: 1, [field]: value });
        const next = new Tab();
        await next.kept();
        const { runs, damaged } = next.lab.kept.store.getState();
        if (runs.length + damaged !== 2) return 'a record is neither there nor set aside';
        if (runs.every(({ id }) => id !== 1)) return 'the run beside it';
        next.begin();
        await next.train();
        return next.acknowledged === 1 ? null : 'the next run is not kept';
      }),
  },
  {
    name: 'page-no-storage',
    injected:
      'The browser keeps nothing for the page (a private window, storage forbidden): that is said, training goes on',
    times: times(2, 2),
    inject: (n) =>
      judged(async () => {
        const { open } = IDBFactory.prototype;
        IDBFactory.prototype.open = () => {
          throw new DOMException('A fault on purpose.', n === 0 ? 'SecurityError' : 'InvalidStateError');
        };
        try {
          const tab = new Tab();
          await trainAll(tab);
          const { lab } = tab;
          if (lab.store.getState().update !== UPDATES) return 'training did not go on';
          return lab.kept.store.getState().problem === null ? 'nothing is said of it' : null;
        } finally {
          IDBFactory.prototype.open = open;
        }
      }),
  },
  {
    name: 'page-other-form',
    injected: 'Runs were kept by a newer version, or by older ones (no id, no times, no looks, fewer metrics)',
    times: times(OLDER.length + 1, OLDER.length + 1),
    inject: (n) =>
      judged(async () => {
        const tab = new Tab();
        await trainAll(tab);
        const older = OLDER[n];
        if (older === undefined) return newerForm();
        const { runs } = tab.lab.kept.store.getState();
        const values = new Float32Array(UPDATES * MEMBERS * METRICS.length);
        const { run, curves } = older(
          { ...runs[0] },
          { metrics: [...METRICS], values, seconds: values.slice(0, UPDATES) },
        );
        await putForeign('unmask', 'runs', { ...run, id: 50, date: 2e12 });
        await putForeign('unmask', 'curves', curves, 50);
        const next = new Tab();
        await next.kept();
        const [newest] = next.lab.kept.store.getState().runs;
        if (newest?.id !== 50) return 'the run';
        await next.lab.kept.show(newest);
        return next.lab.store.getState().history?.count === UPDATES ? null : 'its curves';
      }),
  },
  {
    name: 'page-deleted',
    injected: 'A run is deleted, in its tab or another, while it trains: it stays deleted',
    times: times(UPDATES * 2, UPDATES * 2),
    inject: (n) =>
      judged(async () => {
        const tab = new Tab();
        tab.begin();
        for (let update = 0; update < UPDATES; update++) {
          await tab.train();
          if (update !== n % UPDATES) continue;
          const { lab } = n < UPDATES ? tab : new Tab();
          await lab.kept.remove(1);
        }
        if (tab.lab.store.getState().update !== UPDATES) return 'training did not go on';
        const left = await found();
        return left.length === 0 ? null : `it is there again with ${left} updates`;
      }),
  },
  {
    name: 'page-short-runs',
    injected: 'A run of two hours is followed by hundreds of half a second',
    times: times(1, 1),
    inject: () =>
      judged(async () => {
        const tab = new Tab();
        tab.begin();
        await tab.train(7200);
        for (let run = 0; run < 200; run++) {
          tab.begin();
          await tab.train(0.5);
        }
        await tab.kept();
        const { runs } = tab.lab.kept.store.getState();
        return runs.some(({ id }) => id === 1) ? null : 'the run of two hours';
      }),
  },
  {
    name: 'page-clock-back',
    injected: 'The clock is set back by a second to a year while a run trains: it is kept and drawn as before',
    times: times(20, 500),
    inject: (n) =>
      judged(async () => {
        const { now } = Date;
        const monotonic = performance.now.bind(performance);
        let passed = 0;
        try {
          const tab = new Tab();
          tab.begin();
          await tab.train();
          const back = 1000 * (1 + (crc32(Uint8Array.of(n, n >>> 8)) % (365 * 86_400)));
          Date.now = () => now() - back;
          // A minute passes.
          performance.now = () => monotonic() + passed;
          passed = 60_000;
          return (await tab.goesOn()) ? null : 'nothing is kept or drawn any more';
        } finally {
          Date.now = now;
          performance.now = monotonic;
        }
      }),
  },
];
