/** A pool Worker of the page's trainer, started inside the trainer's own Worker. */
import { type HoldLock, holdForLife } from '../../foundation/lifeline';
import { onPulse } from '../../foundation/pulse';
import type { PoolCommand, PoolReply } from './protocol';
import { servePool } from './server';

const post = (reply: PoolReply, transfer: Transferable[] = []): void => self.postMessage(reply, { transfer });
const serve = servePool(post);
onPulse((call) => post({ type: 'pulse', call }));

self.onmessage = ({ data }: MessageEvent<PoolCommand | HoldLock>) => {
  if (data.type === 'hold') holdForLife(data);
  else serve(data);
};
