/** The training's side of connections to a server of OpenEnv's protocol: it asks, and sleeps until there is an answer. */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { openRemotes } from '../../environments/remote';
import { type RemoteAddress, type RemoteAnswer, type RemoteServer, remoteWorld } from '../../environments/remoteWorld';
import { LabError } from '../../foundation/errors';
import { CLOSE, type ThreadReply, type ThreadRequest, threadData } from './thread';

/** Longest sleep, in milliseconds. The other thread gives up long before. */
const LONGEST = 24 * 3600 * 1000;

const opened: ThreadServer[] = [];

/** Lets worlds behind OpenEnv's protocol be played. `bundle`: script that the thread runs. */
export function openOpenEnv(bundle: URL): void {
  openRemotes((settings) =>
    remoteWorld(settings, (address) => {
      const server = new ThreadServer(address, bundle);
      opened.push(server);
      return server;
    }),
  );
}

/** Closes all connections with their closing handshakes. */
export async function closeOpenEnv(): Promise<void> {
  await Promise.all(opened.splice(0).map((server) => server.close()));
}

class ThreadServer implements RemoteServer {
  readonly #url: string;
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #port;
  readonly #worker: Worker;
  readonly #replies = new Map<number, ThreadReply>();
  #connections = 0;

  constructor(address: RemoteAddress, bundle: URL) {
    this.#url = address.url;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const answered = this.#answered.buffer as SharedArrayBuffer;
    this.#worker = new Worker(bundle, {
      workerData: threadData({ address, answered, port: port2 }),
      transferList: [port2],
    });
    // The process ends with the training.
    this.#worker.unref();
    port1.unref();
  }

  connect(): number {
    return this.#connections++;
  }

  reset(connection: number, seed: number): void {
    this.#ask({ connection, seed });
  }

  step(connection: number, action: unknown): void {
    this.#ask({ connection, action });
  }

  /** Closes its connections, and waits until they are. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.ref();
    this.#port.postMessage(CLOSE);
    return closed;
  }

  #ask(question: ThreadRequest): void {
    this.#port.postMessage(question);
  }

  receive(connection: number): RemoteAnswer {
    for (;;) {
      const before = Atomics.load(this.#answered, 0);
      this.#collect();
      const reply = this.#replies.get(connection);
      if (reply !== undefined) {
        this.#replies.delete(connection);
        if (reply.answer !== undefined) return reply.answer;
        const what = `The world at ${this.#url} cannot be played: ${reply.failure}.`;
        const advice = `Look at its server, and that it takes ${this.#connections} sessions at once.`;
        throw new LabError('unsupported', what, advice);
      }
      Atomics.wait(this.#answered, 0, before, LONGEST);
    }
  }

  #collect(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
      const reply = next.message as ThreadReply;
      this.#replies.set(reply.connection, reply);
    }
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }
}
