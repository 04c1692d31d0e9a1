/** A server of worlds and what strangers send: it answers or hangs up, and goes on serving everybody else. */

import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LARGEST } from '../../../src/cli/serve/body';
import { HttpInterface } from '../../../src/cli/serve/http';
import { type ServerOptions, WorldServer } from '../../../src/cli/serve/server';
import { ServedSession } from '../../../src/cli/serve/session';
import type { Served } from '../../../src/environments/served/contract';
import { TestClient, textServed } from '../../support/openEnv';

const STATE = { type: 'state' };
const servers: WorldServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(
  options: Partial<ServerOptions> = {},
  served: Served = textServed('strict'),
): Promise<{ server: WorldServer; url: string; client: () => Promise<TestClient> }> {
  const server = new WorldServer(served, { host: '127.0.0.1', port: 0, sessions: 4, idle: 3600, ...options });
  servers.push(server);
  const url = await server.listen();
  const client = async (): Promise<TestClient> => {
    const one = new TestClient(`${url.replace('http', 'ws')}/ws`);
    await one.open();
    return one;
  };
  return { server, url, client };
}

/** A closing frame: 0x88, its length, the code. */
const closing = (code: number): Buffer => Buffer.from([0x88, 0x02, code >> 8, code & 255]);

const isServed = async (client: TestClient): Promise<boolean> =>
  ((await client.ask(STATE)) as { type?: string } | null)?.type === 'state';

describe('A session', () => {
  test('answers any text, and never throws', async () => {
    const keys = fc.constantFrom(
      'type',
      'data',
      'seed',
      'episode_id',
      'text',
      '__proto__',
      'metadata',
      'jsonrpc',
      'method',
    );
    const leaf = fc.oneof(fc.constantFrom('reset', 'step', 'state', 'mcp', 'close', 'reward:nan', ''), fc.jsonValue());
    const message = fc.dictionary(keys, fc.oneof(leaf, fc.dictionary(keys, leaf)));
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      message.map((one) => JSON.stringify(one)),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const session = new ServedSession(textServed('strict'), textServed('strict').create());
        for (const one of texts) {
          const { frame, ends } = await session.answer(one);
          expect(ends || frame !== null).toBe(true);
          JSON.stringify(frame);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('over HTTP never throws either', async () => {
    const http = new HttpInterface(textServed('tasks'));
    const paths = fc.constantFrom(
      '/reset',
      '/step',
      '/mcp',
      '/TextEnvironment/task',
      '/textenvironment/task_range',
      '/%/tasks',
      '/%E0%A4%A/splits',
      '/__proto__',
      '/constructor',
    );
    const call = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      path: paths,
      contentType: fc.constantFrom('', 'application/json'),
      host: fc.constant('x'),
      body: fc.oneof(fc.json(), fc.string()),
    });
    await fc.assert(
      fc.asyncProperty(call, async (one) => {
        const { status } = await http.answer(one);
        // A split that there is not fails, as in the reference server.
        if (!/^\/textenvironment/i.test(one.path)) expect(status).toBeLessThan(500);
      }),
      { numRuns: 500 },
    );
  });
});

describe('A server', () => {
  test('reads a client that floods no faster than it answers, in order', async () => {
    const { client } = await serve();
    const [flood, other] = [await client(), await client()];
    const count = 3000;
    await flood.ask({ type: 'reset', data: { episode_id: 'x' } });
    for (let i = 0; i < count; i++) flood.socket.send(JSON.stringify({ type: 'reset', data: { seed: i } }));
    expect(await isServed(other)).toBe(true);
    for (let i = 0; i < count; i++) {
      expect(await flood.next()).toMatchObject({ data: { observation: { text: `ready seed=${i} extra={}` } } });
    }
  });

  test('hangs up on a socket that answers no ping, and frees its place', async () => {
    const { server, url } = await serve({ pingEvery: 0.05 });
    const client = new TestClient(`${url.replace('http', 'ws')}/ws`);
    await client.open();
    client.socket.pong = () => {};
    expect(await client.closed).toEqual({ code: 1011, reason: 'keepalive ping timeout' });
    await vi.waitUntil(() => server.active === 0, { timeout: 60_000 });
  });

  test('gives the place of a silent session away, and takes it back where there is room', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { server, client } = await serve({ sessions: 1, idle: 60, pingEvery: 3600 });
    const silent = await client();
    await silent.ask({ type: 'reset', data: { episode_id: 'kept' } });
    vi.advanceTimersByTime(70_000);
    expect(server.active).toBe(0);
    expect(await silent.ask(STATE)).toMatchObject({ data: { episode_id: 'kept' } });
    vi.advanceTimersByTime(70_000);
    const next = await client();
    expect(await isServed(next)).toBe(true);
    // Not yet silent for a minute.
    vi.advanceTimersByTime(50_000);
    expect(await silent.ask(STATE)).toMatchObject({ data: { code: 'CAPACITY_REACHED', max_sessions: 1 } });
    expect((await silent.closed).code).toBe(1000);
  });

  test('frees the place of a socket that was cut', async () => {
    const { server, client } = await serve({ sessions: 1 });
    const cut = await client();
    expect(await isServed(cut)).toBe(true);
    (cut.socket as unknown as { _socket: Socket })._socket.destroy();
    await vi.waitUntil(() => server.active === 0, { timeout: 60_000 });
    expect(await isServed(await client())).toBe(true);
  });

  const upgrade =
    'GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
  test.each([
    ['text that is not masked', upgrade, [0x81, 0x01, 0x61], 1002],
    ['a reserved bit', upgrade, [0xc1, 0x81, 0, 0, 0, 0, 0x61], 1002],
    ['text that is no UTF-8', upgrade, [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007],
    [
      'a length beyond all bounds',
      upgrade,
      [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
      1009,
    ],
    ['no HTTP', 'hello\r\n\r\n', [], null],
    ['an upgrade without a key', upgrade.replace(/Sec-WebSocket-Key.*\r\n/, ''), [], null],
  ])('outlives %s', async (_, head, frame, code) => {
    const { url, client } = await serve();
    const received = await new Promise<Buffer>((resolve) => {
      const parts: Buffer[] = [];
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write(head);
        if (frame.length > 0) socket.write(Uint8Array.from(frame));
      });
      socket.on('data', (part) => {
        parts.push(part);
        const all = Buffer.concat(parts);
        if (code !== null && all.includes(closing(code))) socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(Buffer.concat(parts)));
    });
    if (code !== null) expect(received.includes(closing(code))).toBe(true);
    else expect(received.toString()).not.toContain('101 Switching');
    expect(await isServed(await client())).toBe(true);
  });

  test('refuses a body that is too long, and says so', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/reset`, { method: 'POST', body: new Uint8Array(4 * LARGEST) });
    expect([response.status, await response.json()]).toEqual([
      413,
      { detail: `A body of more than ${LARGEST} bytes is refused. Send less at once.` },
    ]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('tells the first mistakes of a message, and how many more there are', async () => {
    const { client } = await serve();
    const keys = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`, i === 0 ? 'x'.repeat(5000) : i]));
    const frame = await (await client()).ask({ type: 'step', data: { text: 'a', ...keys } });
    const { errors } = (frame as { data: { errors: { msg: string; input: unknown }[] } }).data;
    expect(errors).toHaveLength(17);
    expect(errors.at(-1)?.msg).toBe('84 more mistakes are not listed');
    expect(errors[0]?.input).toHaveLength(1001);
  });

  test.each([
    ['keys', `{"type":"reset","data":{${Array.from({ length: 20_000 }, (_, i) => `"${i}":0`).join()}}}`, /10000 keys/],
    ['brackets', '{"type":"reset","data":'.concat('['.repeat(501)), /500 brackets/],
  ])('ends a session that sends too many %s, and says so by either way', async (_, text, words) => {
    const lines: string[] = [];
    const { server, client, url } = await serve({ tell: (line) => lines.push(line) });
    expect(await (await client()).ask(text)).toMatchObject({
      data: { code: 'SESSION_ERROR', message: expect.stringMatching(words) },
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/reset`, { method: 'POST', headers, body: text });
    expect([response.status, await response.json()]).toEqual([413, { detail: expect.stringMatching(words) }]);
    await server.close();
    servers.pop();
    expect(lines).toEqual([expect.stringMatching(words), expect.stringMatching(words)]);
  });

  test('cuts a connection that asks again before it is answered', async () => {
    const { url } = await serve();
    const closed = new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write('GET /schema HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1000));
      });
      socket.on('data', (part) => {
        received += String(part);
      });
      socket.on('error', () => {}).on('close', () => resolve(received));
    });
    expect((await closed).split('HTTP/1.1 200').length).toBeLessThan(10);
  });

  test('says why a port cannot be had', async () => {
    const { url } = await serve();
    await expect(serve({ port: Number(new URL(url).port) })).rejects.toThrow(/something listens there already/);
    servers.pop();
  });
});
