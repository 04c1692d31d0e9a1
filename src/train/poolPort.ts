/**
 * A pool Worker as the coordinator holds it, whatever kind of thread it is. The browser's kind is here; Node's is with the
 * command line, so that this folder needs nothing of Node.
 */
import type { PoolCommand, PoolReply } from './poolProtocol';

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
  const useful = Math.max(1, Math.min(members, spare, MOST_WORKERS));
  return Math.ceil(members / Math.ceil(members / useful));
}

export function browserPool(members: number): PoolChoice {
  const nested = typeof Worker !== 'undefined';
  return { workers: nested ? poolSize(members, navigator.hardwareConcurrency) : 1, start: startPoolWorker };
}

function startPoolWorker(listener: PoolListener): PoolPort {
  const worker = new Worker(new URL('./poolWorker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<PoolReply>) => listener.reply(data);
  worker.onerror = ({ message }) => listener.died(message ?? '');
  worker.onmessageerror = () => listener.died('a message could not be read');
  return {
    send: (command, transfer) => worker.postMessage(command, { transfer }),
    end() {
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
    },
  };
}
