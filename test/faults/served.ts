/**
 * Faults of clients and pages around a served world (`lab serve`). Each is injected into a server of its own. What may be
 * lost is the answer to a client that behaves: it plays before, while and after somebody else does not.
 */
import { connect, type Socket } from 'node:net';
import { WorldServer } from '../../src/cli/serve/server';
import { MOST_PARTS } from '../../src/cli/serve/validation';
import { TestClient, textServed } from '../support/openEnv';
import { type Fault, times } from './fault';
import { pause } from './running';

/** Milliseconds after which a client that behaves has waited in vain: less than a silent one is borne with. */
const PATIENCE = 8000;
/** Most letters of an answer to a message that is wrong. */
const LONGEST_ANSWER = 40_000;

interface Site {
  readonly port: number;
  readonly server: WorldServer;
  /** Steps that were played. */
  readonly steps: () => number;
}

/** Serves, injects, and says what a client that behaves did not get. */
async function serving(inject: (site: Site) => Promise<string | null>, pingEvery = 20): Promise<string | null> {
  let steps = 0;
  const served = textServed('lenient');
  const create = (): ReturnType<typeof served.create> => {
    const world = served.create();
    const step: typeof world.step = (...given) => {
      steps++;
      return world.step(...given);
    };
    return { reset: world.reset.bind(world), state: world.state.bind(world), step };
  };
  const options = { host: '127.0.0.1', port: 0, sessions: 64, idle: 3600, pingEvery };
  const server = new WorldServer({ ...served, create }, options);
  const port = Number(new URL(await server.listen()).port);
  try {
    const what = await inject({ port, server, steps: () => steps });
    return what ?? (await missing(port));
  } finally {
    await server.close();
  }
}

/** What a new client does not get: null if it gets an answer to a call and a session. */
async function missing(port: number): Promise<string | null> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, PATIENCE, 'nothing in time').unref());
  const health = await Promise.race([exchange(port, head('GET /health', { Connection: 'close' })), late]);
  if (!health.startsWith('HTTP/1.1 200')) return `a call was not answered: ${health.slice(0, 80)}`;
  const client = new TestClient(`ws://127.0.0.1:${port}/ws`);
  const played = client.open().then((isOpen) => (isOpen ? client.ask({ type: 'reset' }) : 'no session'));
  const frame = await Promise.race([played, late]);
  client.socket.terminate();
  return (frame as { type?: string } | null)?.type === 'observation' ? null : `no session: ${JSON.stringify(frame)}`;
}

const head = (line: string, headers: Readonly<Record<string, string>>): string => {
  const all = { Host: '127.0.0.1', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

const UPGRADE = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

/** A connection that sends a text; errors are its end. */
async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.write(text);
  return socket;
}

/** All that comes back until the other side closes, or until a session is open. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = await open(port, text);
  let received = '';
  socket.setEncoding('latin1').on('data', (part) => {
    received += part;
    if (received.startsWith('HTTP/1.1 101')) socket.destroy();
  });
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { Host: 'page.example' },
  { Host: 'localhost.page.example' },
  { Host: '127.0.0.1.page.example:8000' },
  { Host: '0.0.0.0' },
  { Host: '192.0.2.1' },
  { Origin: 'http://page.example' },
  { Origin: 'null' },
  { Origin: 'http://localhost:3000' },
  { 'Sec-Fetch-Site': 'cross-site' },
];
const JSON_BODY = { 'Content-Type': 'application/json', 'Content-Length': '2', Connection: 'close' };
const CALLS: readonly ((headers: Readonly<Record<string, string>>) => string)[] = [
  (headers) => head('GET /state', { Connection: 'close', ...headers }),
  (headers) => `${head('POST /reset', { ...JSON_BODY, ...headers })}{}`,
  (headers) => head('GET /ws', { ...UPGRADE, ...headers }),
];

/** Wrong actions that are as much as they can be. */
const keys = (count: number, length = 0): string =>
  `{${Array.from({ length: count }, (_, i) => `"${i}${'k'.repeat(length)}":0`).join(',')}}`;
const MUCH: readonly string[] = [
  keys(1_500_000),
  keys(150_000),
  keys(MOST_PARTS - 1),
  keys(1000, 1000),
  keys(1, 2_000_000),
  `{"no":"${'x'.repeat(2_000_000)}"}`,
  '['.repeat(400_000),
  `[${'0,'.repeat(900_000)}0]`,
];

/** Answer of a session to a text: its letters, or the code that it is closed with. */
async function answerOf(port: number, text: string): Promise<string> {
  const client = new TestClient(`ws://127.0.0.1:${port}/ws`);
  await client.open();
  const frame = await client.ask(text);
  const answer = frame === null ? String((await client.closed).code) : JSON.stringify(frame);
  client.socket.terminate();
  return answer;
}

/** Ways to be slow, all of them valid so far. */
const SLOW: readonly string[] = [
  '',
  'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-',
  `${head('POST /reset', { ...JSON_BODY, 'Content-Length': '2000000' })}{`,
  head('GET /health', {}),
  head('POST /reset', { ...JSON_BODY, Expect: '100-continue' }),
];
/** Connections that are slow at once: more than there are places and spare ones. */
const MANY = 200;

export const servedFaults: readonly Fault[] = [
  {
    name: 'serve-foreign-page',
    injected:
      'A page of another site calls a served world or wants a session: foreign Host, Origin or site, each in turn',
    times: times(FOREIGN.length * CALLS.length, FOREIGN.length * CALLS.length),
    inject: (n) =>
      serving(async ({ port, server }) => {
        const headers = FOREIGN[n % FOREIGN.length] ?? {};
        const call = CALLS[Math.floor(n / FOREIGN.length) % CALLS.length];
        const answer = call === undefined ? '' : await exchange(port, call(headers));
        if (server.active > 0) return `${JSON.stringify(headers)} has a place`;
        return /^HTTP\/1\.1 (?:403|421) [\s\S]*--(?:origin|allow-host)/.test(answer) ? null : answer.slice(0, 80);
      }),
  },
  {
    name: 'serve-much',
    injected:
      'A client sends a served world as many unknown keys, as long or deep a message as it can (up to 17 MB), by both ways',
    times: times(2 * MUCH.length, 2 * MUCH.length),
    inject: (n) =>
      serving(async ({ port }) => {
        const action = MUCH[n % MUCH.length] ?? '';
        if (n >= MUCH.length) {
          const answer = await answerOf(port, `{"type":"step","data":${action}}`);
          return answer.length < LONGEST_ANSWER ? null : `an answer of ${answer.length} letters`;
        }
        const text = `{"action":${action}}`;
        const request = head('POST /step', { ...JSON_BODY, 'Content-Length': String(text.length) });
        const answer = await exchange(port, request + text);
        if (answer.length > LONGEST_ANSWER) return `an answer of ${answer.length} letters`;
        return /^HTTP\/1\.1 (?:413|422) /.test(answer) ? null : `no answer: ${answer.slice(0, 80)}`;
      }),
  },
  {
    name: 'serve-slow',
    injected: `${MANY} connections to a served world send nothing, half a head, half a body, or keep silent after an answer`,
    times: times(SLOW.length, 4 * SLOW.length),
    inject: (n) =>
      serving(async ({ port, server }) => {
        const one = new TestClient(`ws://127.0.0.1:${port}/ws`);
        await one.open();
        const slow = await Promise.all(Array.from({ length: MANY }, () => open(port, SLOW[n % SLOW.length] ?? '')));
        const what = (await missing(port)) ?? (server.visitors > MANY / 2 ? 'they are all held' : null);
        const frame = await one.ask({ type: 'reset' });
        for (const socket of slow) socket.destroy();
        one.socket.terminate();
        return what ?? (frame === null ? 'a session that was open' : null);
      }),
  },
  {
    name: 'serve-unread',
    injected: 'A client of a served world asks 64 times for 4 MB and reads no answer: it is cut, and few are made',
    times: times(1, 24),
    inject: () =>
      serving(async ({ port, server, steps }) => {
        const deaf = await open(port, head('GET /ws', UPGRADE));
        deaf.pause();
        for (let i = 0; i < 64; i++) deaf.write(masked('{"type":"step","data":{"text":"big:4000000"}}'));
        const what = await missing(port);
        const end = performance.now() + PATIENCE;
        while (server.active > 0 && performance.now() < end) await pause(20);
        deaf.destroy();
        if (server.active > 0) return 'its place';
        return what ?? (steps() > 16 ? `${steps()} answers were made` : null);
      }, 1),
  },
];

/** A text frame of a client with the mask 0. */
function masked(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}
