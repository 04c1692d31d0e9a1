/**
 * Server of OpenEnv's protocol: sessions over WebSockets, single calls over HTTP. Clients are not trusted: messages are
 * bounded, a client that floods is read no faster than it is answered, a silent one loses its place, a dead one its socket.
 */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Fields, Served } from '../../environments/served/contract';
import { excerpt, LabError } from '../../foundation/errors';
import { LARGEST } from './body';
import { Door, type DoorOptions } from './door';
import { HttpInterface } from './http';
import { errorFrame, messageOf, ServedSession } from './session';

/** Messages that wait for their answers before a socket is read no further. */
const MOST_WAITING = 64;
/** Bytes that wait to be sent before nothing more of a socket is answered. */
const MOST_UNSENT = 2 ** 20;

export interface ServerOptions extends DoorOptions {
  readonly host: string;
  /** Port; 0 takes a free one. */
  readonly port: number;
  /** Most sessions at once. */
  readonly sessions: number;
  /** Seconds without a message after which a session loses its place. */
  readonly idle: number;
  /** Seconds between pings; a socket that did not answer by the next, or reads no answer for so long, is closed. */
  readonly pingEvery?: number;
}

/** A socket and its session. */
interface Client {
  readonly socket: WebSocket;
  /** The connection below the socket. */
  readonly stream: Duplex;
  readonly session: ServedSession;
  /** Chain of answers under way. */
  work: Promise<void>;
  waiting: number;
  waitingBytes: number;
  heard: number;
  isAlive: boolean;
  /** False once the session was reaped. */
  hasPlace: boolean;
  isOver: boolean;
}

export class WorldServer {
  readonly #served: Served;
  readonly #options: ServerOptions;
  readonly #door: Door;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST,
    perMessageDeflate: false,
    handleProtocols: () => false,
  });
  readonly #clients = new Set<Client>();
  readonly #pingEvery: number;
  #timers: NodeJS.Timeout[] = [];

  constructor(served: Served, options: ServerOptions) {
    this.#served = served;
    this.#options = options;
    this.#pingEvery = options.pingEvery ?? 20;
    this.#door = new Door(new HttpInterface(served), options, (request, stream, head) =>
      this.#upgrade(request, stream, head),
    );
  }

  /** Begins to listen; returns the address. Throws LabError where the port cannot be had. */
  async listen(): Promise<string> {
    const { host, port, idle } = this.#options;
    const { server } = this.#door;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(portError(host, port, cause)));
      server.listen(port, host, resolve);
    });
    this.#timers = [
      setInterval(() => this.#ping(), this.#pingEvery * 1000),
      setInterval(() => this.#reap(), Math.min(idle, 10) * 500),
    ];
    const { address, port: bound } = server.address() as AddressInfo;
    return `http://${address.includes(':') ? `[${address}]` : address}:${bound}`;
  }

  /** Sessions that have a place. */
  get active(): number {
    return [...this.#clients].filter(({ hasPlace }) => hasPlace).length;
  }

  /** Connections without a session. */
  get visitors(): number {
    return this.#door.visitors.count;
  }

  async close(): Promise<void> {
    this.#door.refusals.flush();
    for (const timer of this.#timers) clearInterval(timer);
    for (const { socket } of this.#clients) {
      socket.close(1001, 'the server ends');
      setTimeout(() => socket.terminate(), 1000).unref();
    }
    const { server } = this.#door;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, stream, head, (socket) => this.#admit(socket, stream));
  }

  #admit(socket: WebSocket, stream: Duplex): void {
    // A frame that breaks the protocol or is too long: ws closes the socket with the code that says so.
    socket.on('error', (cause) => this.#door.refusals.add(`A frame is refused: ${excerpt(cause.message)}.`));
    if (this.active >= this.#options.sessions) {
      this.#refuse(socket);
      return;
    }
    let session: ServedSession;
    try {
      session = new ServedSession(this.#served, this.#served.create());
    } catch (cause) {
      const { name } = this.#served;
      const text = `Environment factory '${name}' failed to create instance: ${messageOf(cause)}`;
      send(socket, errorFrame('FACTORY_ERROR', text, { factory_name: name }));
      hangUp(socket);
      return;
    }
    const client: Client = {
      socket,
      stream,
      session,
      work: Promise.resolve(),
      waiting: 0,
      waitingBytes: 0,
      heard: Date.now(),
      isAlive: true,
      hasPlace: true,
      isOver: false,
    };
    this.#clients.add(client);
    this.#door.visitors.release(stream);
    socket.on('close', () => this.#clients.delete(client));
    socket.on('pong', () => {
      client.isAlive = true;
    });
    socket.on('message', (data, isBinary) => this.#hear(client, data, isBinary));
  }

  #refuse(socket: WebSocket): void {
    const { sessions } = this.#options;
    const { active } = this;
    const text = `Server at capacity: ${active}/${sessions} sessions active. Cannot accept new connections.`;
    send(socket, errorFrame('CAPACITY_REACHED', text, { active_sessions: active, max_sessions: sessions }));
    hangUp(socket);
  }

  #hear(client: Client, data: RawData, isBinary: boolean): void {
    if (client.isOver) return;
    client.heard = Date.now();
    client.isAlive = true;
    const size = bytesOf(data);
    client.waiting++;
    client.waitingBytes += size;
    if (client.waiting >= MOST_WAITING || client.waitingBytes >= LARGEST) client.socket.pause();
    client.work = client.work.then(async () => {
      try {
        if (!client.isOver) await this.#answer(client, data, isBinary);
      } finally {
        client.waiting--;
        client.waitingBytes -= size;
        if (client.waiting === 0 && client.socket.isPaused) client.socket.resume();
      }
    });
  }

  async #answer(client: Client, data: RawData, isBinary: boolean): Promise<void> {
    const { socket, session } = client;
    if (!client.hasPlace) {
      // The session was silent for long, and its place may have been taken.
      if (this.active >= this.#options.sessions) {
        client.isOver = true;
        this.#refuse(socket);
        return;
      }
      client.hasPlace = true;
      this.#door.visitors.release(client.stream);
    }
    const { frame, ends } = isBinary
      ? { frame: errorFrame('SESSION_ERROR', 'A message is text.'), ends: true }
      : await session.answer(data.toString());
    if (frame !== null && !(await sendFrame(socket, frame, this.#pingEvery))) {
      this.#door.refusals.add('A client that reads no answers is cut.');
      client.isOver = true;
      return;
    }
    if (!ends) return;
    if (frame !== null) this.#door.refusals.add((frame.data as { message: string }).message);
    client.isOver = true;
    hangUp(socket);
  }

  #ping(): void {
    for (const client of this.#clients) {
      const { socket } = client;
      if (!client.isAlive) {
        socket.close(1011, 'keepalive ping timeout');
        setTimeout(() => socket.terminate(), 1000).unref();
        continue;
      }
      client.isAlive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  }

  #reap(): void {
    const latest = Date.now() - this.#options.idle * 1000;
    for (const client of this.#clients) {
      if (!client.hasPlace || client.heard >= latest || client.waiting > 0) continue;
      client.hasPlace = false;
      this.#door.visitors.admit(client.stream);
    }
  }
}

function send(socket: WebSocket, frame: Fields): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame), () => {});
}

/** Sends a frame. False, and the socket is cut, if much waits to be sent and nobody reads it for so many seconds. */
async function sendFrame(socket: WebSocket, frame: Fields, seconds: number): Promise<boolean> {
  if (socket.readyState !== socket.OPEN) return true;
  const text = JSON.stringify(frame);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      socket.terminate();
      resolve(false);
    }, seconds * 1000);
    const goOn = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    socket.send(text, goOn);
    if (socket.bufferedAmount <= MOST_UNSENT) goOn();
  });
}

const bytesOf = (data: RawData): number =>
  Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;

/** Closes a socket; one that does not answer is cut. */
function hangUp(socket: WebSocket): void {
  socket.resume();
  socket.close(1000);
  setTimeout(() => socket.terminate(), 5000).unref();
}

function portError(host: string, port: number, cause: Error & { code?: string }): LabError {
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: 'something listens there already',
    EACCES: 'you may not',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'there is no such name',
  };
  const why = known[cause.code ?? ''] ?? cause.message;
  return new LabError(
    'unsupported',
    `Nothing can be served at ${host}:${port}: ${why}.`,
    'Choose another --port or --host.',
    { cause },
  );
}
