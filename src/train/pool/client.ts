/**
 * The coordinator's side of one pool Worker: each command returns the promise of its reply. If the Worker ends by itself, or
 * answers nothing any more, all open promises are rejected, so nobody waits for it.
 */
import { asLabError, LabError } from '../../foundation/errors';
import { ThreadWatch } from '../../foundation/watch';
import type { PoolPort, StartPoolWorker } from './port';
import { fromFailure, type PoolCommand, type PoolReplies, type PoolReply } from './protocol';

interface Waiting {
  resolve(reply: PoolReply): void;
  reject(error: LabError): void;
}

/** A thread that trained ended, or was given up: another one gives the same numbers. */
export class ThreadEnded extends LabError {
  /** Function of a world that ran; null where none did. */
  readonly call: string | null;

  constructor(what: string, call: string | null) {
    super('device-lost', what, ADVICE);
    this.call = call;
  }
}

const ADVICE = 'Start again; if it happens again, train fewer seeds or a smaller policy, so that it needs less memory.';

export class PoolClient {
  readonly #port: PoolPort | null;
  readonly #watch: ThreadWatch;
  #waiting: Waiting[] = [];
  #ended: LabError | null = null;
  /** False until its code has arrived, which may take long. */
  #hasSpoken = false;
  /** Function of a world that ran at its last sign of life; null for none. */
  #call: string | null = null;

  /** onDeath: called once if the Worker ends by itself or is given up; not after end(). */
  constructor(start: StartPoolWorker, onDeath: (error: LabError) => void) {
    const died = (how: string): void => {
      if (this.#ended !== null) return;
      const error = new ThreadEnded(`A Worker of the CPU backend ${how}.`, this.#call);
      this.end(error);
      onDeath(error);
    };
    const ask = (): void => this.#port?.send({ type: 'ask' }, []);
    this.#watch = new ThreadWatch({ ask, silent: (seconds) => died(`was silent for ${seconds} seconds`) });
    this.#port = this.#start(start, (why) =>
      died(`stopped unexpectedly${why === '' ? '' : `: ${why.replace(/\.$/, '')}`}`),
    );
  }

  ask<C extends PoolCommand>(command: C, transfer: Transferable[] = []): Promise<PoolReplies[C['type']]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended);
      const waiting: Waiting = { resolve: (reply) => resolve(reply as PoolReplies[C['type']]), reject };
      this.#waiting.push(waiting);
      try {
        this.#port?.send(command, transfer);
        if (this.#hasSpoken) this.#watch.expect();
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
    this.#watch.rest();
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
    this.#hasSpoken = true;
    if (reply.type === 'here') this.#watch.answered();
    else this.#watch.heard();
    if (reply.type === 'pulse') this.#call = reply.call;
    if (reply.type === 'here' || reply.type === 'pulse') {
      if (this.#waiting.length > 0) this.#watch.expect();
      return;
    }
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#watch.rest();
    if (reply.type === 'failed') waiting?.reject(fromFailure(reply));
    else waiting?.resolve(reply);
  }
}
