/**
 * The trainer's Worker: receives commands, runs updates, posts events (protocol.ts). One session at a time; a new `start`
 * replaces it. Between updates the Worker returns to its event loop, so a command never waits longer than one update.
 */
import { asLabError } from '../foundation/errors';
import type { Command, TrainerEvent } from './protocol';
import { Session } from './session';

const post = (event: TrainerEvent, transfer: Transferable[] = []): void => {
  self.postMessage(event, { transfer });
};

let session: Session | null = null;
/** Commands are handled one after the other, also while one of them is still starting a session. */
let queue: Promise<void> = Promise.resolve();

async function handle(command: Command): Promise<void> {
  switch (command.type) {
    case 'start':
      await session?.dispose();
      session = new Session(command.experiment, command.backend, post);
      await session.prepare(command.run);
      break;
    case 'pause':
      session?.pause();
      break;
    case 'resume':
      session?.resume();
      break;
    case 'step':
      session?.step();
      break;
    case 'change':
      session?.change(command.changes);
      break;
    case 'updates':
      session?.extend(command.updates);
      break;
    case 'watch':
      session?.watch({ seed: command.seed, group: command.group });
      break;
    case 'dispose':
      await session?.dispose();
      session = null;
      break;
    default:
      command satisfies never;
  }
}

self.onmessage = ({ data }: MessageEvent<Command>) => {
  queue = queue
    .then(() => handle(data))
    .catch((cause: unknown) => {
      const { code, message, advice } = asLabError(cause);
      post({ type: 'error', code, message, advice });
    });
};
