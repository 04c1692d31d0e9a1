/** A pool Worker of the page's trainer, started inside the trainer's own Worker. */
import type { HoldLock, LockHeld } from './port';
import type { PoolCommand } from './protocol';
import { servePool } from './server';

const serve = servePool((reply, transfer) => self.postMessage(reply, { transfer }));

self.onmessage = ({ data }: MessageEvent<PoolCommand | HoldLock>) => {
  if (data.type === 'hold') void holdForLife(data.lock);
  else serve(data);
};

async function holdForLife(lock: string): Promise<void> {
  await navigator.locks.request(lock, () => {
    self.postMessage({ type: 'held' } satisfies LockHeld);
    return new Promise(() => {});
  });
}
