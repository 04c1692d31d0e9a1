/** Tabs of one browser without a browser: a channel and locks in memory. A tab that is closed loses its locks. */
import { type Tabs, type TabWays, tabsOver } from '../../src/store/run/tabs';

interface Held {
  readonly name: string;
  readonly tab: number;
}

type Work = (lock: Lock | null) => unknown;

/** One browser. */
export class FakeBrowser {
  readonly #channels = new Map<number, TabWays['channel']>();
  #held: readonly Held[] = [];
  #waiting: readonly (() => void)[] = [];
  #opened = 0;

  open(): { tabs: Tabs; close: () => void } {
    const tab = this.#opened;
    this.#opened += 1;
    const others = () => [...this.#channels].filter(([other]) => other !== tab);
    const channel: TabWays['channel'] = {
      onmessage: null,
      postMessage: () => {
        for (const [, one] of others()) {
          queueMicrotask(() => (one.onmessage as (() => void) | null)?.());
        }
      },
    };
    this.#channels.set(tab, channel);
    const locks = {
      request: async (name: string, options: LockOptions, work: Work): Promise<unknown> => {
        if (this.#isHeld(name) && options.ifAvailable) return work(null);
        while (this.#isHeld(name)) await new Promise<void>((free) => (this.#waiting = [...this.#waiting, free]));
        const held = { name, tab };
        this.#held = [...this.#held, held];
        const worked = await work({ name, mode: 'exclusive' });
        this.#free((one) => one === held);
        return worked;
      },
      query: async () => ({ held: this.#held.map(({ name }) => ({ name })) }),
    } as unknown as TabWays['locks'];
    const close = (): void => {
      this.#channels.delete(tab);
      this.#free((one) => one.tab === tab);
    };
    return { tabs: tabsOver({ channel, locks }), close };
  }

  #isHeld(name: string): boolean {
    return this.#held.some((one) => one.name === name);
  }

  #free(goes: (held: Held) => boolean): void {
    this.#held = this.#held.filter((one) => !goes(one));
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const free of waiting) free();
  }
}
