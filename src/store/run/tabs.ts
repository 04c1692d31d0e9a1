/**
 * Other tabs of the lab in this browser. They tell each other that kept runs changed (BroadcastChannel), and a run trains in one
 * of them at a time (Web Locks), which ends with the tab, however it ends. Where a browser has neither, each tab is alone.
 */

import { RUN_LOCK } from '../../storage/runRecord';

export interface Tabs {
  /** Tells the other tabs that kept runs were written, changed or deleted. */
  tell(): void;
  /** Calls `hear` whenever another tab tells of a change. */
  listen(hear: () => void): void;
  /** Takes a run for this tab, instead of the one before; null: none. False if it trains in another tab. */
  take(run: string | null): Promise<boolean>;
  /** Runs that train in other tabs. */
  elsewhere(): Promise<ReadonlySet<string>>;
  /** Resolves once a run trains in no tab. */
  untilFree(run: string): Promise<void>;
}

export const ALONE: Tabs = {
  tell() {},
  listen() {},
  take: async () => true,
  elsewhere: async () => new Set<string>(),
  untilFree: async () => {},
};

const CHANNEL = 'unmask runs';

/** Parts of the browser that tabs need. */
export interface TabWays {
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
}

/** The tabs around this page. */
export function openTabs(): Tabs {
  const locks = globalThis.navigator?.locks;
  if (globalThis.document === undefined || locks === undefined || globalThis.BroadcastChannel === undefined)
    return ALONE;
  return tabsOver({ channel: new BroadcastChannel(CHANNEL), locks });
}

export function tabsOver({ channel, locks }: TabWays): Tabs {
  let mine: string | null = null;
  let release = (): void => {};
  /** End of the queue of takings: each begins when the one before has its answer. */
  let last: Promise<unknown> = Promise.resolve();
  const take = async (run: string | null): Promise<boolean> => {
    if (run === mine) return true;
    release();
    mine = null;
    if (run === null) return true;
    const isTaken = await new Promise<boolean>((answer) => {
      const hold = (lock: Lock | null): Promise<void> | undefined => {
        answer(lock !== null);
        return lock === null ? undefined : new Promise((ended) => (release = ended));
      };
      // Where a browser forbids locks, each tab is alone.
      locks.request(RUN_LOCK + run, { ifAvailable: true }, hold).catch(() => answer(true));
    });
    if (isTaken) mine = run;
    return isTaken;
  };
  return {
    tell: () => channel.postMessage(null),
    listen(hear) {
      channel.onmessage = hear;
    },
    take(run) {
      const result = last.then(() => take(run));
      last = result;
      return result;
    },
    async elsewhere() {
      const { held: locked = [] } = await locks.query().catch(() => ({ held: [] }));
      const names = locked.flatMap(({ name }) => (name?.startsWith(RUN_LOCK) ? [name.slice(RUN_LOCK.length)] : []));
      return new Set(names.filter((run) => run !== mine));
    },
    untilFree: (run) => locks.request(RUN_LOCK + run, { mode: 'shared' }, () => {}),
  };
}
