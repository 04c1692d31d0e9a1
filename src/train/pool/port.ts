/**
 * The coordinator's handle of a pool Worker, for any kind of thread. The browser's kind is here; Node's is in the command
 * line's folder, so that this one needs nothing of Node.
 */
import type { PoolCommand, PoolReply } from './protocol';

export interface PoolPort {
  send(command: PoolCommand, transfer: Transferable[]): void;
  /** Ends the thread at once; the listener is not called any more. */
  end(): void;
}

export interface PoolListener {
  reply(reply: PoolReply): void;
  /** Called when the thread ended by itself or never started; `why` is for the person, possibly empty. */
  died(why: string): void;
}

export type StartPoolWorker = (listener: PoolListener) => PoolPort;

export interface PoolChoice {
  /** Number of Workers; 1 means none, training in the calling thread. */
  readonly workers: number;
  readonly start: StartPoolWorker;
}

const MOST_WORKERS = 16;

/**
 * Best number of Workers for some members. Of three cores or more, one is left to the page. If fewer Workers would have the
 * same largest part, fewer are used.
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

/** First message to a browser's Worker, answered by LockHeld once it holds the lock. */
export interface HoldLock {
  type: 'hold';
  lock: string;
}

export interface LockHeld {
  type: 'held';
}

/**
 * Starts a browser's Worker. Browsers do not report a Worker that closes or is ended for lack of memory, but they free its
 * locks. So it holds a lock as long as it lives: getting that lock here means it is gone. Pages without https have no locks
 * and do not notice such an end.
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
    // Otherwise it would reach the page as an error of the trainer's Worker, which has none.
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
