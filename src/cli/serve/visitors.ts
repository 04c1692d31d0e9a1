/**
 * Connections without a session: those that send a request, are idle, or are refused. They are bounded, and where one too
 * many comes, the one that was quiet longest gives way: one who opens many and sends nothing takes nobody's turn.
 */
import type { Duplex } from 'node:stream';

export class Visitors {
  readonly #most: number;
  readonly #gaveWay: () => void;
  /** Connections, the one that was quiet longest first. */
  readonly #sockets = new Set<Duplex>();
  /** Connections whose request is being worked on; these do not give way. */
  readonly #atWork = new Set<Duplex>();
  readonly #known = new WeakSet<Duplex>();

  constructor(most: number, gaveWay: () => void) {
    this.#most = most;
    this.#gaveWay = gaveWay;
  }

  get count(): number {
    return this.#sockets.size;
  }

  /** A connection comes, or comes back. */
  admit(socket: Duplex): void {
    if (!this.#known.has(socket)) socket.once('close', () => this.release(socket));
    this.#known.add(socket);
    this.#sockets.delete(socket);
    this.#sockets.add(socket);
    if (this.#sockets.size <= this.#most) return;
    const quiet = [...this.#sockets].find((one) => !this.#atWork.has(one)) ?? socket;
    this.release(quiet);
    quiet.destroy();
    this.#gaveWay();
  }

  /** A connection is closed, or has a session now. */
  release(socket: Duplex): void {
    this.#sockets.delete(socket);
    this.#atWork.delete(socket);
  }

  /** Works on a whole request of a connection. */
  async working<T>(socket: Duplex, work: () => Promise<T>): Promise<T> {
    this.#atWork.add(socket);
    try {
      return await work();
    } finally {
      this.#atWork.delete(socket);
      if (this.#sockets.has(socket)) this.admit(socket);
    }
  }
}
