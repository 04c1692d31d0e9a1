/**
 * Faults of what the page keeps: its storage, other tabs, the clock. The page's stores run over a storage in memory, and a
 * scripted Worker trains; what is asked afterwards is asked of the next visit.
 */
import { defaultPreset } from '../../src/experiment/presets';
import { crc32 } from '../../src/foundation/crc32';
import { METRICS } from '../../src/rl/metrics';
import { openRunArchive } from '../../src/storage/runs';
import { type Lab, openLab } from '../../src/store/openLab';
import { workers } from '../store/scriptedWorker';
import { countRequests, emptyStorage, failRequests, putForeign } from '../support/fakeStorage';
import { type Fault, times } from './fault';

const { experiment } = defaultPreset;
const MEMBERS = experiment.arms.length * experiment.seeds;

/** Milliseconds, for what never comes. */
const PATIENCE = 60_000;

/** A tab with the lab in it. */
class Tab {
  readonly lab: Lab;
  readonly #worker = workers();
  #updates = 0;

  static #opened: Tab[] = [];

  /** Resolves when no tab has anything left to keep. */
  static async closeAll(): Promise<void> {
    const tabs = Tab.#opened;
    Tab.#opened = [];
    for (const tab of tabs) {
      tab.lab.editor.reset('values');
      await tab.kept();
    }
  }

  constructor() {
    Tab.#opened.push(this);
    this.lab = openLab('', this.#worker.start, openRunArchive, null);
  }

  /** Begins a run; an earlier one makes way. */
  begin(): void {
    this.#updates = 0;
    this.lab.editor.reset('values');
    this.lab.editor.run();
    this.#worker.latest.enter('running');
  }

  /** Trains an update of so many seconds, and is paused; resolves when it is kept, or said not to be. */
  async train(seconds = 0.5): Promise<void> {
    this.#measure(seconds);
    this.#worker.latest.enter('paused', this.#updates);
    await this.kept();
  }

  /** Trains an update and goes on. True as soon as it is kept and there is something to draw; false after PATIENCE. */
  async goesOn(): Promise<boolean> {
    const { tick } = this.lab.store.getState();
    this.#measure(0.5);
    for (let waited = 0; waited < PATIENCE; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (this.lab.store.getState().tick > tick && this.acknowledged === this.#updates) return true;
    }
    return false;
  }

  #measure(seconds: number): void {
    const { latest } = this.#worker;
    latest.enter('running', this.#updates);
    const values = new Float32Array(MEMBERS * METRICS.length).fill(this.#updates);
    const throughput = { updatesPerSecond: 1, tokensPerSecond: 1 };
    const measured = { members: MEMBERS, values, seconds: Float32Array.of(seconds), throughput };
    latest.say({ type: 'metrics', update: this.#updates, count: 1, ...measured });
    this.#updates += 1;
  }

  /** Resolves when all that was to be kept has been. */
  async kept(): Promise<void> {
    // Requests are carried out in order, and this is the last.
    await this.lab.kept.pin(null);
  }

  /** Updates that the lab says are kept; 0 if it says that they are not. */
  get acknowledged(): number {
    const { problem, shown, runs } = this.lab.kept.store.getState();
    return problem === null ? (runs.find(({ id }) => id === shown)?.updates ?? 0) : 0;
  }
}

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
