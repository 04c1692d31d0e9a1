/** Who is answered by a served world: Hosts and Origins, what a named page may read, and what is told about the rest. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Admission } from '../../../src/cli/serve/admission';
import { Refusals } from '../../../src/cli/serve/refusals';
import { serveCommand } from '../../../src/cli/serve/serve';
import { WorldServer } from '../../../src/cli/serve/server';
import { textServed } from '../../support/openEnv';

afterEach(() => vi.useRealTimers());

describe('A request', () => {
  const admission = new Admission(['Cluster-7', 'fd00::1'], ['http://localhost:3000']);
  test.each([
    ['localhost', 'LOCALHOST:8000', '127.0.0.1', '127.255.0.9:1', '[::1]', '[::1]:8000'],
    ['cluster-7:8000', 'CLUSTER-7', '[fd00::1]:8000'],
  ])('for this machine is answered: %s, %s, %s', (...hosts) => {
    for (const host of hosts) expect(admission.refusal({ host })).toBeNull();
  });

  test.each([
    '',
    'page.example',
    'localhost.page.example',
    '127.0.0.1.page.example',
    '127.0.0.256',
    '127.1',
    '2130706433',
    '0.0.0.0:8000',
    'localhost:8000@page.example',
    'user@localhost',
    'localhost:x',
    '::1',
    '[::2]',
    'cluster-70',
  ])('for “%s” is refused', (host) => {
    const refusal = admission.refusal({ host });
    expect(refusal).toMatchObject({ status: 421, advice: expect.stringContaining('--allow-host') });
  });

  test.each([
    { origin: 'http://page.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'https://localhost:3000' },
    { origin: 'http://localhost:3000.page.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('of a page that was not named is refused: %o', (headers) => {
    const refusal = admission.refusal({ host: 'localhost', ...headers });
    expect(refusal).toMatchObject({ status: 403, advice: expect.stringContaining('--origin') });
    expect(admission.readable(headers)).toEqual({});
  });

  test('is quoted without what a terminal would obey', () => {
    const { what = '' } = admission.refusal({ host: `a\u009b31m${'x'.repeat(500)}` }) ?? {};
    expect(what).not.toMatch(/\p{Cc}/u);
    expect(what.length).toBeLessThan(120);
  });
});

test('a named page may ask, send JSON and read; another one, with the same server, may not', async () => {
  const lines: string[] = [];
  const origin = 'http://localhost:3000';
  const options = { host: '127.0.0.1', port: 0, sessions: 1, idle: 3600, origins: [origin] };
  const server = new WorldServer(textServed('strict'), { ...options, tell: (line) => lines.push(line) });
  const url = await server.listen();
  // fetch() sends no Origin of its own choice.
  const ask = (method: string, from: string): Promise<[number | undefined, string | undefined, string | undefined]> =>
    new Promise((resolve, reject) => {
      const headers = { Origin: from, 'Access-Control-Request-Method': 'POST' };
      request(`${url}/reset`, { method, headers }, (response) => {
        response.resume();
        const { headers: got, statusCode } = response;
        resolve([statusCode, got['access-control-allow-origin'], got['access-control-allow-headers']]);
      })
        .on('error', reject)
        .end();
    });
  expect(await ask('OPTIONS', origin)).toEqual([204, origin, 'content-type']);
  expect(await ask('POST', origin)).toEqual([200, origin, undefined]);
  expect(lines).toEqual([]);
  expect(await ask('OPTIONS', 'http://page.example')).toEqual([403, undefined, undefined]);
  expect(await ask('POST', 'http://page.example')).toEqual([403, undefined, undefined]);
  await server.close();
  expect(lines).toEqual([
    expect.stringMatching(/^A request of a page of “http:\/\/page.example” is refused\. .*--origin URL\.$/),
    expect.stringMatching(/is refused\..*$/),
  ]);
});

test('an Origin is heard after any number of other lines', async () => {
  const server = new WorldServer(textServed('strict'), { host: '127.0.0.1', port: 0, sessions: 1, idle: 3600 });
  const { port } = new URL(await server.listen());
  const lines = Array.from({ length: 2100 }, (_, i) => `${i.toString(36)}: 1`);
  const head = [
    'GET /health HTTP/1.1',
    'Host: localhost',
    ...lines,
    'Origin: http://page.example',
    'Connection: close',
  ];
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  await server.close();
});

test('what is refused is told at once, then with its count every ten seconds and at the end', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lines: string[] = [];
  const refusals = new Refusals((line) => lines.push(line));
  for (let i = 0; i < 5000; i++) refusals.add('No.');
  expect(lines).toEqual(['No.']);
  vi.advanceTimersByTime(10_000);
  refusals.add('No again.');
  expect(lines).toEqual(['No.', 'No again. 4999 more were refused since the last line.']);
  refusals.add('Never.');
  refusals.flush();
  refusals.flush();
  expect(lines.slice(2)).toEqual(['Never.']);
});

test.each([
  [{ host: '0.0.0.0' }, /--host 0\.0\.0\.0.*--allow-host NAME/],
  [{ host: '::' }, /--allow-host NAME/],
  [{ 'allow-host': ['http://box:8000'] }, /“http:\/\/box:8000” is no name of a machine/],
  [{ 'allow-host': ['box:8000'] }, /is no name of a machine/],
  [{ origin: ['localhost:3000'] }, /“localhost:3000” is no origin/],
  [{ origin: ['http://localhost:3000/page'] }, /is no origin/],
  [{ origin: ['*'] }, /is no origin/],
  [{ origin: ['null'] }, /is no origin/],
])('lab serve refuses %o with advice', async (given, words) => {
  await expect(serveCommand('gridworld', { ...given, json: false })).rejects.toThrow(words);
});

test.each([
  { host: '0.0.0.0', 'allow-host': ['localhost'] },
  { host: '192.0.2.1' },
  {
    'allow-host': ['box', 'fd00::1', '[fd00::1]', '192.0.2.1'],
    origin: ['http://localhost:3000', 'https://a.example/'],
  },
])('lab serve takes %o', async (given) => {
  expect(await serveCommand('gridworld', { ...given, json: false })).toBeInstanceOf(Function);
});
