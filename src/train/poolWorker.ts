/**
 * A pool Worker of the page's trainer, started inside the trainer's own Worker.
 */
import type { PoolCommand } from './poolProtocol';
import { servePool } from './poolServer';

const serve = servePool((reply, transfer) => self.postMessage(reply, { transfer }));

self.onmessage = ({ data }: MessageEvent<PoolCommand>) => serve(data);
