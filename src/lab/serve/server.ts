/**
 * Server of OpenEnv's protocol: sessions over WebSockets, single calls over HTTP. Clients are not trusted: messages are
 * bounded, a client that floods is read no faster than it is answered, a silent one loses its place, a dead one its socket.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { LabError } from '../../foundation/errors';
import type { Fields, Served } from './contract';
import { type HttpAnswer, HttpInterface } from './http';
import { errorFrame, messageOf, Session } from './session';

/** Largest message or body, in bytes. */
export const LARGEST = 16 * 2 ** 20;
/** Messages that wait for their answers before a socket is read no further. */
const MOST_WAITING = 64;
/** Bytes that wait to be sent before a socket is read no further. */
const MOST_UNSENT = 2 ** 20;
/** Sockets beyond the sessions, for those that are refused or were reaped, and for HTTP. */
const SPARE_SOCKETS = 64;

export interface ServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Sessions at once. */
  readonly sessions: number;
  /** Seconds without a message after which a session loses its place. */
  readonly idle: number;
  /** Seconds between pings; a socket that did not answer by the next is closed. */
  readonly pingEvery?: number;
}

/** A socket and its session. */
interface Client {
  readonly socket: WebSocket;
  readonly session: Session;
  /** Chain of answers. */
  work: Promise<void>;
  waiting: number;
  heard: number;
  isAlive: boolean;
  /** False once it was reaped. */
  hasPlace: boolean;
  isOver: boolean;
}

export class WorldServer {
  readonly #served: Served;
  readonly #options: ServerOptions;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST,
    perMessageDeflate: false,
    handleProtocols: () => false,
  });
  readonly #clients = new Set<Client>();
  #timers: NodeJS.Timeout[] = [];

  constructor(served: Served, options: ServerOptions) {
    this.#served = served;
    this.#options = options;
    const calls = new HttpInterface(served);
    this.#http = createServer((request, response) => void respond(calls, request, response));
    this.#http.maxConnections = options.sessions + SPARE_SOCKETS;
    this.#http.headersTimeout = 10_000;
    this.#http.requestTimeout = 60_000;
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#http.on('clientError', (_, socket) => socket.destroy());
  }

  /** Begins to listen; returns the address. Throws LabError where the port cannot be had. */
  async listen(): Promise<string> {
    const { host, port, idle, pingEvery = 20 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', (cause) => reject(portError(host, port, cause)));
      this.#http.listen(port, host, resolve);
    });
    this.#timers = [
      setInterval(() => this.#ping(), pingEvery * 1000),
      setInterval(() => this.#reap(), Math.min(idle, 10) * 500),
    ];
    const { address, port: taken } = this.#http.address() as AddressInfo;
    return `http://${address.includes(':') ? `[${address}]` : address}:${taken}`;
  }

  /** Sessions that have a place. */
  get active(): number {
    return [...this.#clients].filter(({ hasPlace }) => hasPlace).length;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const { socket } of this.#clients) {
      socket.close(1001, 'the server ends');
      setTimeout(() => socket.terminate(), 1000).unref();
    }
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    if (pathOf(request) !== '/ws') {
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, stream, head, (socket) => this.#admit(socket));
  }

  #admit(socket: WebSocket): void {
    // A frame that breaks the protocol: ws closes the socket with the code that says so.
    socket.on('error', () => {});
    if (this.active >= this.#options.sessions) {
      this.#refuse(socket);
      return;
    }
    let session: Session;
    try {
      session = new Session(this.#served, this.#served.create());
    } catch (cause) {
      const { name } = this.#served;
      const text = `Environment factory '${name}' failed to create instance: ${messageOf(cause)}`;
      send(socket, errorFrame('FACTORY_ERROR', text, { factory_name: name }));
      hangUp(socket);
      return;
    }
    const client: Client = {
      socket,
      session,
      work: Promise.resolve(),
      waiting: 0,
      heard: Date.now(),
      isAlive: true,
      hasPlace: true,
      isOver: false,
    };
    this.#clients.add(client);
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
    client.waiting++;
    if (client.waiting >= MOST_WAITING) client.socket.pause();
    client.work = client.work.then(async () => {
      try {
        if (!client.isOver) await this.#answer(client, data, isBinary);
      } finally {
        client.waiting--;
        this.#readOn(client);
      }
    });
  }

  async #answer(client: Client, data: RawData, isBinary: boolean): Promise<void> {
    const { socket, session } = client;
    if (!client.hasPlace) {
      // It was silent for long, and its place may be taken.
      if (this.active >= this.#options.sessions) {
        client.isOver = true;
        this.#refuse(socket);
        return;
      }
      client.hasPlace = true;
    }
    const { frame, ends } = isBinary
      ? { frame: errorFrame('SESSION_ERROR', 'A message is text.'), ends: true }
      : await session.answer(data.toString());
    if (frame !== null) send(socket, frame);
    if (!ends) return;
    client.isOver = true;
    hangUp(socket);
  }

  /** Reads a socket on once its answers are under way. */
  #readOn(client: Client): void {
    const { socket } = client;
    if (!socket.isPaused || client.waiting > 0) return;
    if (socket.bufferedAmount <= MOST_UNSENT) {
      socket.resume();
      return;
    }
    // An empty ping is sent once all before it was.
    if (socket.readyState === socket.OPEN) socket.ping(undefined, undefined, () => socket.resume());
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
    for (const client of this.#clients) if (client.heard < latest && client.waiting === 0) client.hasPlace = false;
  }
}

function send(socket: WebSocket, frame: Fields): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame), () => {});
}

/** Closes a socket; one that does not answer is cut. */
function hangUp(socket: WebSocket): void {
  socket.resume();
  socket.close(1000);
  setTimeout(() => socket.terminate(), 5000).unref();
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?')[0] as string;

async function respond(calls: HttpInterface, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  const body = await readBody(request);
  const answer: HttpAnswer =
    body === null
      ? { status: 413, headers: { connection: 'close' }, body: { detail: 'Request Entity Too Large' } }
      : await calls.answer({
          method: request.method ?? '',
          path: pathOf(request),
          contentType: request.headers['content-type'] ?? '',
          host: request.headers.host ?? '',
          body,
        });
  const isText = typeof answer.body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  const headers = answer.body === '' ? answer.headers : { 'content-type': type, ...answer.headers };
  response.writeHead(answer.status, headers);
  response.end(isText ? answer.body : JSON.stringify(answer.body));
}

/** Body as text; null if it is too long. Never rejects: a request that was cut needs no answer. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > LARGEST) return null;
      parts.push(part);
    }
  } catch {
    return '';
  }
  return Buffer.concat(parts).toString();
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
