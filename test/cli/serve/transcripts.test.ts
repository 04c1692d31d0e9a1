/** OpenEnv's recorded exchanges, replayed: codes and shapes are those of its own server; Python's wording aside. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorldServer } from '../../../src/cli/serve/server';
import { type Closed, type Kind, TestClient, textServed } from '../../support/openEnv';

interface Row {
  readonly name: string;
  readonly transport: 'ws' | 'http';
  readonly group: string;
  readonly server: { readonly environment: Kind; readonly max_concurrent_envs?: number };
  readonly session?: string;
  readonly before?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: recorded in many forms.
  readonly send: any;
  // biome-ignore lint/suspicious/noExplicitAny: recorded in many forms.
  readonly receive?: any;
  readonly handshake?: { readonly status: number };
  readonly then?: 'open' | { readonly close: Closed };
}

const rows = readFileSync('test/fixtures/scale/openenv.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line));
const groups = new Map<string, Row[]>();
for (const row of rows) {
  const name = `${row.group} (${row.server.environment})`;
  groups.set(name, [...(groups.get(name) ?? []), row]);
}

/** Codes whose messages are the JSON parser's or Python's. */
const PYTHONS_WORDS = ['INVALID_JSON', 'SESSION_ERROR', 'UNKNOWN_TYPE', 'FACTORY_ERROR'];

/** A recorded or received value without what may differ: words of Python's, ids, where JSON broke off. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>);
  const { code, type } = value as { code?: unknown; type?: unknown };
  const isMistake = 'loc' in value;
  const hidden = isMistake
    ? ['msg', 'input', 'url', 'ctx', ...(type === 'json_invalid' ? ['loc'] : [])]
    : PYTHONS_WORDS.includes(String(code)) || code === -32600
      ? ['message']
      : [];
  return Object.fromEntries(
    entries
      .filter(([key]) => !hidden.includes(key))
      .map(([key, one]) => [key, key === 'episode_id' && /-.*-|<uuid>/.test(String(one)) ? 'a uuid' : comparable(one)]),
  );
}

const unfold = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one) =>
    one?.parts === undefined ? one : one.parts.map(([text, times]: [string, number]) => text.repeat(times)).join(''),
  );

test('are as many as docs/scale.md says', () => {
  expect(readFileSync('docs/scale.md', 'utf8')).toContain(`${rows.length} recorded exchanges`);
});

describe.each([...groups])('%s', (_, exchanges) => {
  const [{ server: of }] = exchanges as [Row];
  let server: WorldServer;
  let url: string;
  const clients = new Map<string, TestClient>();
  const clientOf = (row: Row): TestClient => {
    const name = row.session ?? '';
    const path = row.send?.path ?? '/ws';
    const known = clients.get(name);
    if (known !== undefined && !known.isClosed && row.send?.event !== 'connect') return known;
    const client = new TestClient(`${url.replace('http', 'ws')}${path}`);
    clients.set(name, client);
    return client;
  };

  beforeAll(async () => {
    const sessions = of.max_concurrent_envs ?? 64;
    server = new WorldServer(textServed(of.environment), { host: '127.0.0.1', port: 0, sessions, idle: 3600 });
    url = await server.listen();
  });
  afterAll(async () => {
    for (const { socket } of clients.values()) socket.terminate();
    await server.close();
  });

  test.each(exchanges.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    if (row.transport === 'http') await checkHttp(row, url);
    else await checkSocket(row, clientOf(row));
  });
});

async function checkSocket({ before = [], send, receive, handshake, then }: Row, client: TestClient): Promise<void> {
  const isOpen = await client.open();
  if (handshake !== undefined && handshake.status !== 101) {
    expect(isOpen).toBe(false);
    return;
  }
  expect(isOpen).toBe(true);
  for (const message of before) await client.ask(message);
  const { socket } = client;
  if (typeof send === 'string') socket.send(send);
  else if (send.binary_base64 !== undefined) socket.send(Buffer.from(send.binary_base64, 'base64'));
  else if (send.text_parts !== undefined) socket.send(String(textOf(send.text_parts)));
  else if (send.messages !== undefined) for (const message of send.messages) socket.send(message);
  else if (send.close !== undefined) socket.close(send.close.code, send.close.reason);
  else if (send.text_fragments !== undefined) {
    send.text_fragments.forEach((text: string, i: number) => {
      socket.send(text, { fin: i === send.text_fragments.length - 1 });
    });
  } else if (send.ping !== undefined) {
    const pong = new Promise<string>((resolve) => socket.once('pong', (data) => resolve(data.toString())));
    socket.ping(send.ping);
    expect(await pong).toBe(receive.pong);
    return;
  }
  const expected = receive === undefined ? [] : (receive.messages ?? [receive]);
  for (const frame of expected) expect(comparable(await client.next())).toEqual(comparable(unfold(frame)));
  if (typeof then === 'object') expect(await client.closed).toEqual(then.close);
  else if (then === 'open') expect(client.isClosed).toBe(false);
}

const textOf = (parts: readonly (string | [string, number])[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');

async function checkHttp({ send, receive }: Row, url: string): Promise<void> {
  const { status, headers, body } = await new Promise<{
    status: number;
    headers: Record<string, unknown>;
    body: string;
  }>((resolve, reject) => {
    const call = request(`${url}${send.path}`, { method: send.method, headers: send.headers ?? {} }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    call.on('error', reject);
    call.end(typeof send.body === 'string' ? send.body : undefined);
  });
  if (send.headers?.Origin !== undefined) {
    // OpenEnv's own server answers any page.
    expect([status, JSON.parse(body)]).toEqual([403, { detail: expect.stringContaining('--origin URL') }]);
    return;
  }
  expect(status).toBe(receive.status);
  for (const [name, value] of Object.entries(receive.headers ?? {})) {
    if (send.method === 'HEAD') continue;
    expect(headers[name]).toBe(String(value).replace('http://127.0.0.1:<port>', url));
  }
  if (receive.body === '' || typeof receive.body === 'string') expect(body).toBe(receive.body);
  else if (send.path === '/schema') expect(Object.keys(JSON.parse(body))).toEqual(Object.keys(receive.body));
  else expect(comparable(JSON.parse(body))).toEqual(comparable(unfold(receive.body)));
}
