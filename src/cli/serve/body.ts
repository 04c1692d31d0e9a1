/** Bodies of requests, read within bounds, and answers sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, finished } from 'node:stream';
import type { HttpAnswer } from './http';

/** Largest message or body, in bytes. OpenEnv's own server was recorded with an action of 1 MiB. */
export const LARGEST = 2 * 2 ** 20;
/** Bytes of a body that is too long which are passed over, so that its client hears why; beyond them it is cut. */
const MOST_PASSED_OVER = 16 * LARGEST;

/** Body as text; null if it is too long. Rejects if the request is cut. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_PASSED_OVER) return null;
    if (size <= LARGEST) parts.push(part);
    else parts.length = 0;
  }
  return size > LARGEST ? null : Buffer.concat(parts).toString();
}

export function write(response: ServerResponse, answer: HttpAnswer): void {
  const isText = typeof answer.body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  const headers = answer.body === '' ? answer.headers : { 'content-type': type, ...answer.headers };
  response.writeHead(answer.status, headers);
  response.end(isText ? answer.body : JSON.stringify(answer.body));
}

/** Refuses on a bare connection, where there is no response yet, and closes it. `status`: such as “403 Forbidden”. */
export function refuseStream(stream: Duplex, status: string, why: string): void {
  if (!stream.writable) {
    stream.destroy();
    return;
  }
  const body = JSON.stringify({ detail: why });
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json`;
  finished(stream, { readable: false }, () => stream.destroy());
  stream.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
