/** Pool Workers that answer in this thread; commands and replies are cloned as between threads. */
import type { PoolListener, PoolPort } from '../../src/train/pool/port';
import { servePool } from '../../src/train/pool/server';

export function startHere(listener: PoolListener): PoolPort {
  let ended = false;
  const serve = servePool((reply, transfer) => {
    const received = structuredClone(reply, { transfer });
    setImmediate(() => {
      if (!ended) listener.reply(received);
    });
  });
  return {
    send(command, transfer) {
      const received = structuredClone(command, { transfer });
      setImmediate(() => {
        if (!ended) serve(received);
      });
    },
    end() {
      ended = true;
    },
  };
}
