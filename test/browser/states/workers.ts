/**
 * The page's Workers in the hands of whoever drives it: what they say can be kept back, so that what lasts a moment stands
 * still, and they can be made to say what a broken device would make them say.
 */
import type { Page } from 'playwright-core';
import type { TrainerEvent } from '../../../src/train/protocol';

interface Workers {
  keepQuiet(): void;
  keepApart(): void;
  speakAgain(): void;
  say(event: TrainerEvent): void;
  crash(message: string): void;
}

declare const workers: Workers;

/** Runs in the page, before its own code. */
export function listenToWorkers(): void {
  const all: Worker[] = [];
  let kept: (() => void)[] | null = null;
  let orders: (() => void)[] | null = null;
  let crashes: string | null = null;
  const end = (worker: Worker, message: string): void =>
    void worker.dispatchEvent(new ErrorEvent('error', { message }));
  class Heard extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      all.push(this);
      // Once it is listened to.
      if (crashes !== null) setTimeout(end, 0, this, crashes);
      this.addEventListener('message', (event) => {
        if (kept === null || !event.isTrusted) return;
        event.stopImmediatePropagation();
        kept.push(() => this.dispatchEvent(new MessageEvent('message', { data: event.data })));
      });
    }
    override postMessage(message: unknown, given?: Transferable[] | StructuredSerializeOptions): void {
      const options = Array.isArray(given) ? { transfer: given } : given;
      if (orders === null) super.postMessage(message, options);
      else orders.push(() => super.postMessage(message, options));
    }
  }
  globalThis.Worker = Heard;
  const control: Workers = {
    keepQuiet() {
      kept ??= [];
    },
    keepApart() {
      kept ??= [];
      orders ??= [];
    },
    speakAgain() {
      const late = [...(kept ?? []), ...(orders ?? [])];
      [kept, orders] = [null, null];
      for (const pass of late) pass();
    },
    say(event) {
      for (const worker of all) worker.dispatchEvent(new MessageEvent('message', { data: event }));
    },
    crash(message) {
      crashes = message;
      for (const worker of all.slice()) end(worker, message);
    },
  };
  Object.assign(globalThis, { workers: control });
}

/** From now on nothing that a Worker says is heard. */
export const keepQuiet = (page: Page): Promise<void> => page.evaluate(() => workers.keepQuiet());

/** From now on Workers are not told what to do either. */
export const keepApart = (page: Page): Promise<void> => page.evaluate(() => workers.keepApart());

/** What was kept back is heard, in its order. */
export const speakAgain = (page: Page): Promise<void> => page.evaluate(() => workers.speakAgain());

export const say = (page: Page, event: TrainerEvent): Promise<void> =>
  page.evaluate((said) => workers.say(said), event);

/** The Worker ends as one does that ran out of memory, and so does each that takes its place. */
export const crash = (page: Page): Promise<void> =>
  page.evaluate(() => workers.crash('Uncaught RangeError: Array buffer allocation failed'));
