/**
 * A pool Worker as the coordinator holds it, whatever kind of thread it is. The browser's kind is here; Node's is with the
 * command line, so that this folder needs nothing of Node.
 */
import type { PoolCommand, PoolReply } from './protocol';

export interface PoolPort {
  send(command: PoolCommand, transfer: Transferable[]): void;
  /** Ends the thread at once, whatever it is doing; nothing is heard of it any more. */
  end(): void;
}

export interface PoolListener {
  reply(reply: PoolReply): void;
  /** The thread ended by itself or never started; `why` is for the person, possibly empty. */
  died(why: string): void;
}

export type StartPoolWorker = (listener: PoolListener) => PoolPort;

export interface PoolChoice {
  /** How many Workers; 1 means none: training happens in the calling thread. */
  readonly workers: number;
  readonly start: StartPoolWorker;
}

const MOST_WORKERS = 16;

/**
 * How many Workers train this many members best: one core is left to the page where there are three or more, and where
 * fewer Workers have the same largest part, fewer do.
 */
export function poolSize(members: number, cores: number): number {
  const spare = Math.max(Math.min(cores, 2), cores - 1);
  const trained = Math.max(1, members);
  const useful = Math.min(trained, spare, MOST_WORKERS);
  return Math.ceil(trained / Math.ceil(trained / useful));
}

export function browserPool(members: number): PoolChoice {
  const nested = typeof Worker !== 'undefined';
  return { workers: nested ? poolSize(members, navigator.hardwareConcurrency) : 1, start: startPoolWorker };
}

/** Told to a browser's Worker before anything else, and answered once it holds the lock. */
export interface HoldLock {
  type: 'hold';
  lock: string;
}

export interface LockHeld {
  type: 'held';
}

/**
 * Browsers tell nobody when a Worker closes or is ended for lack of memory. But they free its locks: it holds one for as
 * long as it lives, and getting that lock here means it is gone. Pages without https have no locks and no such notice.
 */
function startPoolWorker(listener: PoolListener): PoolPort {
  const worker = new Worker(new URL('./pageWorker.ts', import.meta.url), { type: 'module' });
  const gone = new AbortController();
  const lock = isSecureContext ? `unmask-pool-${crypto.randomUUID()}` : '';
  const awaitDeath = async (): Promise<void> => {
    await navigator.locks.request(lock, { signal: gone.signal }, () => listener.died(''));
  };
  worker.onmessage = ({ data }: MessageEvent<PoolReply | LockHeld>) => {
    if (data.type !== 'held') listener.reply(data);
    // Rejects when end() gives up waiting.
    else awaitDeath().catch(() => {});
  };
  worker.onerror = (event) => {
    // Unhandled, it would go on to the page as an error of the trainer's Worker, which is well.
    event.preventDefault();
    listener.died(event.message ?? '');
  };
  worker.onmessageerror = () => listener.died('a message could not be read');
  if (lock !== '') worker.postMessage({ type: 'hold', lock } satisfies HoldLock);
  return {
    send: (command, transfer) => worker.postMessage(command, { transfer }),
    end() {
      worker.onmessage = null;
      worker.onerror = null;
      gone.abort();
      worker.terminate();
    },
  };
}
