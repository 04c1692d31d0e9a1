/**
 * The trainer's Worker: receives commands, runs updates, posts events (protocol.ts). One session at a time; a new `start`
 * replaces it. Between updates the Worker returns to its event loop, so a command never waits longer than one update.
 */
import { asLabError } from '../foundation/errors';
import { type ChosenBackend, chooseBackend } from './backends';
import { browserPool } from './poolPort';
import type { BackendChoice, Command, TrainerEvent } from './protocol';
import { Session } from './session';

const post = (event: TrainerEvent, transfer: Transferable[] = []): void => {
  self.postMessage(event, { transfer });
};

let session: Session | null = null;

async function handle(command: Command): Promise<void> {
  switch (command.type) {
    case 'start': {
      // The old run frees its device in its own time; the new one need not wait for it.
      void session?.dispose();
      session = new Session(command.experiment, command.backend, post);
      await session.prepare(command.run);
      break;
    }
    case 'probe': {
      const { kind, description, software, reason, release } = await probe(command.backend, command.members);
      release();
      post({ type: 'backend', kind, description, software, reason });
      break;
    }
    case 'pause':
      session?.pause();
      break;
    case 'resume':
      session?.resume();
      break;
    case 'step':
      session?.step();
      break;
    case 'continue':
      await session?.continueOn(command.backend);
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

function probe(choice: BackendChoice, members: number): Promise<ChosenBackend> {
  return chooseBackend(choice, globalThis.navigator?.gpu, browserPool(members));
}

self.onmessage = ({ data }: MessageEvent<Command>) => {
  handle(data).catch((cause: unknown) => {
    const { code, message, advice } = asLabError(cause);
    post({ type: 'error', code, message, advice });
  });
};
