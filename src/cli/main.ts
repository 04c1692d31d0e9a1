/** Entry of `npm run -s lab -- …`: a command and its exit code, or a thread of one. */
import { isMainThread } from 'node:worker_threads';
import { carryOut } from './carryOut';
import { openOutput } from './output';

if (isMainThread) {
  openOutput();
  process.exitCode = await carryOut(process.argv.slice(2), new URL(import.meta.url));
} else (await import('./thread')).serveThread();
