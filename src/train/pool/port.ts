/**
 * The coordinator's handle of a pool Worker, for any kind of thread. The browser's kind is here; Node's is in the command
 * line's folder, so that this one needs nothing of Node.
 */
import { tellEnd } from '../../foundation/lifeline';
import type { AskPool, PoolCommand, PoolReply } from './protocol';

export interface PoolPort {
  send(command: PoolCommand | AskPool, transfer: Transferable[]): void;
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
  /** Number of Workers. */
  readonly workers: number;
  /** True if a single Worker trains in a thread of its own too, which can be ended; else in the calling thread. */
  readonly isApart?: boolean;
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

/** Workers that were not ended: Firefox collects one that nothing but its own listener refers to, though it computes. */
const alive = new Set<Worker>();

function startPoolWorker(listener: PoolListener): PoolPort {
  const worker = new Worker(new URL('./pageWorker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<PoolReply>) => listener.reply(data);
  worker.onerror = (event) => {
    // Otherwise it would reach the page as an error of the trainer's Worker, which has none.
    event.preventDefault();
    listener.died(event.message ?? '');
  };
  worker.onmessageerror = () => listener.died('a message could not be read');
  tellEnd(worker);
  alive.add(worker);
  return {
    send: (command, transfer) => worker.postMessage(command, { transfer }),
    end() {
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
      alive.delete(worker);
    },
  };
}
