/**
 * The way into a served world: Node's HTTP server, which answers single calls and lets sessions in. Connections without a
 * session are bounded in number, time and size, and only those that may ask are answered. What is refused is told.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Admission } from './admission';
import { LARGEST, readBody, refuseStream, write } from './body';
import { detail, type HttpInterface } from './http';
import { Refusals } from './refusals';
import { Visitors } from './visitors';

/** Connections beyond the sessions, for HTTP, for those that are refused, and for sessions that were reaped. */
const MOST_VISITORS = 64;
/** Milliseconds that a request may take to arrive, its head and all of it, and that a connection may be silent. */
const PATIENCE = { head: 10_000, request: 30_000, silence: 30_000 };

export interface DoorOptions {
  /** Names besides loopback ones by which clients may ask for this machine. */
  readonly hosts?: readonly string[];
  /** Origins of pages that may play, such as http://localhost:3000. */
  readonly origins?: readonly string[];
  /** Hears a line about each refusal. */
  readonly tell?: (line: string) => void;
}

/** Accepts a connection (an HTTP upgrade) that asks for a session. */
type LetIn = (request: IncomingMessage, stream: Duplex, head: Buffer) => void;

export class Door {
  readonly server: Server;
  readonly visitors: Visitors;
  readonly refusals: Refusals;
  readonly #calls: HttpInterface;
  readonly #letIn: LetIn;
  readonly #admission: Admission;
  /** Connections whose request is not answered yet. */
  readonly #busy = new WeakSet<Duplex>();

  constructor(calls: HttpInterface, { hosts = [], origins = [], tell = () => {} }: DoorOptions, letIn: LetIn) {
    this.#calls = calls;
    this.#letIn = letIn;
    this.#admission = new Admission(hosts, origins);
    this.refusals = new Refusals(tell);
    this.visitors = new Visitors(MOST_VISITORS, () =>
      this.refusals.add(
        `More than ${MOST_VISITORS} connections are open without a session: the one that was quiet longest is cut.`,
      ),
    );
    const { head, request, silence } = PATIENCE;
    const times = { headersTimeout: head, requestTimeout: request, connectionsCheckingInterval: 1000 };
    this.server = createServer(times, (asked, response) => void this.#respond(asked, response));
    this.server.timeout = silence;
    // Node bounds a head's bytes too; beyond a number of lines it would pass over an Origin.
    this.server.maxHeadersCount = 0;
    this.server.on('connection', (socket) => this.visitors.admit(socket));
    this.server.on('upgrade', (asked, stream, first) => this.#upgrade(asked, stream, first));
    this.server.on('clientError', (cause, stream) => this.#refuseUnreadable(cause, stream));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket, headers, method = '' } = request;
    response.on('error', () => {});
    if (this.#busy.has(socket)) {
      // Requests in a row, without waiting, could ask for more answers than anybody reads.
      this.refusals.add('A connection that asked again before it was answered is cut.');
      socket.destroy();
      return;
    }
    this.#busy.add(socket);
    response.once('close', () => this.#busy.delete(socket));
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      refuse(response, refusal.status, refusal.why);
      return;
    }
    for (const [name, value] of Object.entries(this.#admission.readable(headers))) response.setHeader(name, value);
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isPreflight && headers.origin !== undefined) {
      const allowed = { 'access-control-allow-methods': 'GET, POST', 'access-control-allow-headers': 'content-type' };
      response.writeHead(204, allowed).end();
      return;
    }
    let body: string | null;
    try {
      body = await readBody(request);
    } catch {
      // The connection was cut, and nobody waits for an answer.
      return;
    }
    if (body === null) {
      const why = `A body of more than ${LARGEST} bytes is refused. Send less at once.`;
      this.refusals.add(why);
      refuse(response, 413, why);
      return;
    }
    const { 'content-type': contentType = '', host = '' } = headers;
    const call = { method, path: pathOf(request), contentType, host, body };
    await this.visitors.working(socket, async () => {
      const answer = await this.#calls.answer(call);
      if (answer.status === 413) this.refusals.add((answer.body as { detail: string }).detail);
      write(response, answer);
    });
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      refuseStream(stream, `${refusal.status} ${STATUS_CODES[refusal.status]}`, refusal.why);
    } else if (pathOf(request) !== '/ws') refuseStream(stream, '403 Forbidden', 'Sessions are at /ws.');
    else this.#letIn(request, stream, head);
  }

  /** Status and reason of a refusal, which is told; null if the request may be answered. */
  #refusal({ headers }: IncomingMessage): { status: number; why: string } | null {
    const refusal = this.#admission.refusal(headers);
    if (refusal === null) return null;
    const why = `${refusal.what} ${refusal.advice}`;
    this.refusals.add(why);
    return { status: refusal.status, why };
  }

  /** A request that breaks HTTP's rules, or that does not arrive in time. */
  #refuseUnreadable({ code }: Error & { code?: string }, stream: Duplex): void {
    if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuseStream(stream, '400 Bad Request', 'This is no request that can be read. Send HTTP/1.1.');
      return;
    }
    const why = 'A request that does not arrive in time is refused. Send it at once.';
    this.refusals.add(why);
    refuseStream(stream, '408 Request Timeout', why);
  }
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?')[0] as string;

/** Sends a refusal and closes the connection. */
const refuse = (response: ServerResponse, status: number, why: string): void =>
  write(response, { ...detail(status, why), headers: { connection: 'close' } });
