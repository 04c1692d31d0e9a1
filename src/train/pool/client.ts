/**
 * The coordinator's side of one pool Worker: each command returns the promise of its reply. If the Worker ends by itself,
 * all open promises are rejected, so nobody waits for it.
 */
import { asLabError, LabError } from '../../foundation/errors';
import type { PoolPort, StartPoolWorker } from './port';
import { fromFailure, type PoolCommand, type PoolReplies, type PoolReply } from './protocol';

interface Waiting {
  resolve(reply: PoolReply): void;
  reject(error: LabError): void;
}

export class PoolClient {
  readonly #port: PoolPort | null;
  #waiting: Waiting[] = [];
  #ended: LabError | null = null;

  /** onDeath: called once if the Worker ends by itself; not after end(). */
  constructor(start: StartPoolWorker, onDeath: (error: LabError) => void) {
    const died = (why: string): void => {
      if (this.#ended !== null) return;
      const error = workerDied(why);
      this.end(error);
      onDeath(error);
    };
    this.#port = this.#start(start, died);
  }

  ask<C extends PoolCommand>(command: C, transfer: Transferable[] = []): Promise<PoolReplies[C['type']]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended);
      const waiting: Waiting = { resolve: (reply) => resolve(reply as PoolReplies[C['type']]), reject };
      this.#waiting.push(waiting);
      try {
        this.#port?.send(command, transfer);
      } catch (cause) {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(asLabError(cause));
      }
    });
  }

  /** Ends the Worker; open promises are rejected with `error`. */
  end(error: LabError): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    this.#port?.end();
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting = [];
  }

  #start(start: StartPoolWorker, died: (why: string) => void): PoolPort | null {
    try {
      return start({ reply: (reply) => this.#reply(reply), died });
    } catch (cause) {
      // Reported later, as if it had started and died: the constructor has not returned yet.
      queueMicrotask(() => died(asLabError(cause).message));
      return null;
    }
  }

  #reply(reply: PoolReply): void {
    const waiting = this.#waiting.shift();
    if (reply.type === 'failed') waiting?.reject(fromFailure(reply));
    else waiting?.resolve(reply);
  }
}

function workerDied(why: string): LabError {
  return new LabError(
    'device-lost',
    `A Worker of the CPU backend stopped unexpectedly${why === '' ? '' : `: ${why.replace(/\.$/, '')}`}.`,
    'Start again; if it happens again, train fewer seeds or a smaller policy, so that it needs less memory.',
  );
}
