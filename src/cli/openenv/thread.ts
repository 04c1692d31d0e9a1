/**
 * Connections to servers of OpenEnv's protocol, in a thread of their own. A world of the lab is stepped without waiting for
 * promises, so the training's thread sleeps until this one has the answers. A connection that breaks is made again, and its episode
 * played again up to where it was.
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import WebSocket from 'ws';
import type { RemoteAddress, RemoteAnswer } from '../../environments/remoteWorld';

const MARK = 'unmask-openenv';
/** Attempts after a failure, and the wait before the first, in milliseconds; each later one is twice as long. */
const RETRIES = 6;
const FIRST_WAIT = 100;

export interface ThreadData {
  readonly mark: typeof MARK;
  readonly address: RemoteAddress;
  /** Counts answers, so that the other thread can sleep until there are more. */
  readonly answered: SharedArrayBuffer;
  readonly port: MessagePort;
}

export const threadData = (data: Omit<ThreadData, 'mark'>): ThreadData => ({ mark: MARK, ...data });

/** Question of the training's thread: an episode with this seed, or an action. */
export interface ThreadRequest {
  readonly connection: number;
  readonly seed?: number;
  readonly action?: unknown;
}

/** The training's thread needs no more answers. */
export const CLOSE = 'close';
/** Milliseconds that a server has to close its session. */
const GOODBYE = 2000;

export interface ThreadReply {
  readonly connection: number;
  readonly answer?: RemoteAnswer;
  readonly failure?: string;
}

export function serveOpenEnvThread(): void {
  const { address, answered, port } = workerData as ThreadData;
  const count = new Int32Array(answered);
  const connections = new Map<number, Connection>();
  port.on('message', async (message: ThreadRequest | typeof CLOSE) => {
    if (message === CLOSE) {
      await Promise.all([...connections.values()].map((one) => one.close()));
      port.close();
      return;
    }
    const { connection, seed, action } = message;
    const episode = connections.get(connection) ?? new Connection(address);
    connections.set(connection, episode);
    const reply: ThreadReply = await episode.ask(seed === undefined ? { action } : { seed }).then(
      (answer) => ({ connection, answer }),
      (cause: unknown) => ({ connection, failure: cause instanceof Error ? cause.message : String(cause) }),
    );
    port.postMessage(reply);
    Atomics.add(count, 0, 1);
    Atomics.notify(count, 0);
  });
}

type Move = { readonly seed: number } | { readonly action: unknown };

/** The server understood, and said no: asking again would not help. */
class Refusal extends Error {}

class Connection {
  readonly #address: RemoteAddress;
  #socket: WebSocket | null = null;
  /** Moves of the episode so far, and the answers to them. */
  #past: { readonly move: Move; readonly answer: RemoteAnswer }[] = [];

  constructor(address: RemoteAddress) {
    this.#address = address;
  }

  /** Rejects after several attempts, or where the server refuses. */
  async ask(move: Move): Promise<RemoteAnswer> {
    if ('seed' in move) this.#past = [];
    for (let attempt = 0; ; attempt++) {
      try {
        if (this.#socket?.readyState !== WebSocket.OPEN) await this.#begin();
        const answer = await this.#exchange(move);
        this.#past.push({ move, answer });
        return answer;
      } catch (cause) {
        this.#socket?.terminate();
        this.#socket = null;
        if (cause instanceof Refusal || attempt === RETRIES) throw cause;
        await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT * 2 ** attempt));
      }
    }
  }

  /** Asks the server to close, and closes itself where that takes long; ws cuts what does not answer within 30 seconds. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const late = setTimeout(() => socket.close(1000), GOODBYE);
    socket.send(JSON.stringify({ type: 'close' }));
    await closed;
    clearTimeout(late);
  }

  /** Opens the socket and brings the episode to where it was. */
  async #begin(): Promise<void> {
    const socket = new WebSocket(`${this.#address.url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`);
    this.#socket = socket;
    await this.#within(
      new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      }),
    );
    socket.on('error', () => {});
    for (const { move, answer } of this.#past) {
      const again = await this.#exchange(move);
      if (again.text !== answer.text || again.reward !== answer.reward || again.done !== answer.done) {
        throw new Refusal('after a broken connection it played another episode from the same seed and actions');
      }
    }
  }

  async #exchange(move: Move): Promise<RemoteAnswer> {
    const { observationField, isPlain } = this.#address;
    const message =
      'seed' in move
        ? { type: 'reset', data: { seed: move.seed, ...(isPlain && { plain: true }) } }
        : { type: 'step', data: move.action };
    const { type, data } = await this.#send(JSON.stringify(message));
    if (type === 'error') {
      const text = `it answered ${String(data?.code)}: ${String(data?.message).slice(0, 300)}`;
      throw String(data?.code) === 'CAPACITY_REACHED' ? new Error(text) : new Refusal(text);
    }
    if (type !== 'observation') throw new Refusal(`it answered with “${String(type).slice(0, 60)}”`);
    const observation = (data?.observation ?? {}) as Record<string, unknown>;
    return {
      text: textOf('tool_name' in observation ? answerOf(observation) : (observation[observationField] ?? observation)),
      reward: Number.isFinite(Number(data?.reward)) ? Number(data?.reward) : 0,
      done: data?.done === true,
    };
  }

  #send(message: string): Promise<{ type?: unknown; data?: Record<string, unknown> }> {
    const socket = this.#socket as WebSocket;
    return this.#within(
      new Promise((resolve, reject) => {
        const settle = (): void => {
          socket.off('message', hear);
          socket.off('close', fail);
        };
        const hear = (text: WebSocket.RawData): void => {
          settle();
          try {
            resolve(JSON.parse(text.toString()) ?? {});
          } catch {
            reject(new Refusal('it answered with what is no JSON'));
          }
        };
        const fail = (code: number): void => {
          settle();
          reject(new Error(`it closed the connection (${code})`));
        };
        socket.on('message', hear);
        socket.on('close', fail);
        socket.send(message, (cause) => cause && fail(1006));
      }),
    );
  }

  #within<T>(work: Promise<T>): Promise<T> {
    const { timeout } = this.#address;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it did not answer within ${timeout} seconds`)), timeout * 1000);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }
}

const textOf = (said: unknown): string => (typeof said === 'string' ? said : JSON.stringify(said));

/** Answer of a tool: why it failed, or its result, without the protocol around it. */
function answerOf({ result, error }: Record<string, unknown>): unknown {
  const failure = (error as { message?: unknown } | null)?.message;
  const { data, content } = (result ?? {}) as { data?: unknown; content?: readonly { text?: unknown }[] };
  return failure ?? data ?? content?.[0]?.text ?? result ?? '';
}
