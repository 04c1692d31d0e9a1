/**
 * Lifeline of a Worker. Browsers do not report a Worker that closes or is ended for lack of memory, but they free its locks. So
 * it holds a lock as long as it lives: getting that lock elsewhere means it is gone. Pages without https have no locks: there only
 * silence tells (watch.ts).
 */

/** Message to the Worker, which answers through the port once it holds the lock. */
export interface HoldLock {
  type: 'hold';
  lock: string;
  port: MessagePort;
}

/** Tells an end of the Worker as an error without a message. One that was terminated on purpose should have no listener any more. */
export function tellEnd(worker: Worker): void {
  if (globalThis.isSecureContext !== true) return;
  const lock = `unmask-life-${crypto.randomUUID()}`;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    navigator.locks.request(lock, () => worker.dispatchEvent(new ErrorEvent('error'))).catch(() => {});
  };
  worker.postMessage({ type: 'hold', lock, port: port2 } satisfies HoldLock, [port2]);
}

/** Holds the lock for the life of this Worker. */
export function holdForLife({ lock, port }: HoldLock): void {
  const hold = (): Promise<never> => {
    port.postMessage(null);
    return new Promise(() => {});
  };
  // A sandboxed frame may have none.
  navigator.locks.request(lock, hold).catch(() => {});
}
