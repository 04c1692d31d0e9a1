/**
 * Pool Workers in Node: threads that run the same bundle as the command, so there is only one file to start. The bundle's
 * entry asks isPoolThread() first; a pool thread serves instead of reading the command line.
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { onPulse } from '../foundation/pulse';
import { type PoolChoice, type PoolListener, type PoolPort, poolSize } from '../train/pool/port';
import type { PoolReply } from '../train/pool/protocol';
import { servePool } from '../train/pool/server';

const MARK = 'unmask-pool';

export function isPoolThread(): boolean {
  return !isMainThread && workerData === MARK;
}

export function servePoolThread(): void {
  const port = parentPort;
  if (port === null) return;
  const serve = servePool((reply, transfer) => port.postMessage(reply, transfer as ArrayBuffer[]));
  onPulse((call) => port.postMessage({ type: 'pulse', call } satisfies PoolReply));
  port.on('message', serve);
}

/** Pool of threads. `wanted`: their number; undefined takes what suits members and machine. `bundle`: script they run. */
export function threadPool(members: number, wanted: number | undefined, bundle: URL): PoolChoice {
  const workers = wanted === undefined ? poolSize(members, availableParallelism()) : Math.min(wanted, members);
  return { workers: Math.max(1, workers), start: (listener) => startThread(listener, bundle) };
}

function startThread(listener: PoolListener, bundle: URL): PoolPort {
  const worker = new Worker(bundle, { workerData: MARK });
  let ended = false;
  let why = '';
  worker.on('message', (reply: PoolReply) => listener.reply(reply));
  worker.on('error', (error) => {
    why = error instanceof Error ? error.message : String(error);
  });
  // `exit` follows every `error`, and may also come alone.
  worker.on('exit', (code) => {
    if (!ended) listener.died(why === '' ? `exit code ${code}` : why);
  });
  return {
    send: (command, transfer) => worker.postMessage(command, transfer as ArrayBuffer[]),
    end() {
      ended = true;
      void worker.terminate();
    },
  };
}
