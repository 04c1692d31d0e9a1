/** Worlds whose actions are no texts: they are learned in, nothing is sent that they do not take, and their sockets are closed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { labBeside, printed } from '../../support/lab';
import { isNightly } from '../../support/nightly';

type Json = Record<string, unknown>;

/** A server of OpenEnv's protocol as its own worlds speak it, of which a test sees every action and every end. */
interface Heard {
  readonly url: string;
  readonly actions: Json[];
  /** Codes with which sessions ended; 1006 is a cut. */
  readonly codes: number[];
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function listen(
  schema: Json,
  step: (action: Json, turn: number) => Json,
  tools: readonly Json[] = [],
): Promise<Heard> {
  const [actions, codes]: [Json[], number[]] = [[], []];
  const server = createServer((request, response) => {
    const answer = request.url === '/schema' ? schema : { observation: { tools }, reward: null, done: false };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket: WebSocket) => {
    let turn = 0;
    socket.on('close', (code) => codes.push(code));
    socket.on('message', (text) => {
      const { type, data } = JSON.parse(String(text));
      if (type === 'close') return socket.close(1000);
      if (type === 'reset') turn = 0;
      else actions.push(data);
      const answer = type === 'reset' ? { observation: {}, reward: 0, done: false } : step(data, ++turn);
      socket.send(JSON.stringify({ type: 'observation', data: answer }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  open.push({ close: () => server.close() });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, actions, codes };
}

const run = (url: string, ...more: string[]) => {
  const tiny = ['gridworld-tiny', '--backend', 'cpu', '--arms', 'world-model', '--seeds', '0', '--json'];
  return labBeside('run', ...tiny, '--environment', `openenv:${url}`, ...more);
};

/** Schemas and answers of OpenEnv's worlds, as its servers of version 0.2.3 gave them. */
const CALL = {
  title: 'CallToolAction',
  type: 'object',
  properties: { tool_name: { type: 'string' }, arguments: { type: 'object', additionalProperties: true } },
  required: ['tool_name'],
};
const TOOLS = [
  {
    name: 'echo_message',
    description: '',
    input_schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  { name: 'look', description: '', input_schema: { type: 'object', properties: {} } },
];
const GRID = {
  $defs: { MoveAction: { enum: ['UP', 'DOWN', 'LEFT', 'RIGHT'], type: 'string' } },
  type: 'object',
  properties: { metadata: { type: 'object' }, action: { $ref: '#/$defs/MoveAction' } },
  required: ['action'],
};

describe('A world', () => {
  test('of tools is called by the names and arguments that it lists', async () => {
    const heard = await listen(
      { action: CALL, observation: {} },
      ({ tool_name: name }, turn) => ({
        observation: { tool_name: name, result: { data: name === 'look' ? 'dark' : { length: 2 } }, error: null },
        reward: name === 'look' ? 1 : 0,
        done: turn === 3,
      }),
      TOOLS,
    );
    const stdout = printed(await run(heard.url, '--updates', '4', '--set', 'environment.actionLength=3'));
    const { experiment, arms } = JSON.parse(stdout);
    expect(experiment.environment.settings.actions).toBe(
      'tool_name=echo_message arguments.message=\u241f\ntool_name=look',
    );
    const kinds = new Set(
      heard.actions.map(({ tool_name: name, arguments: given }) => `${name}(${Object.keys(given as Json)})`),
    );
    expect([...kinds].toSorted()).toEqual(['echo_message(message)', 'look()']);
    expect(heard.actions.every(({ type }) => type === 'call_tool')).toBe(true);
    expect(arms[0].seeds[0].curve.return.at(-1)).toBeGreaterThan(0);
    expect(new Set(heard.codes)).toEqual(new Set([1000]));
  });

  test('whose enumeration stands behind $ref is played, and all of its observation is read', async () => {
    const heard = await listen(
      { action: GRID, observation: { properties: { x: {}, message: { type: 'string' } }, required: ['x'] } },
      ({ action }, turn) => ({
        observation: { x: turn, message: 'on' },
        reward: action === 'DOWN' ? 1 : 0,
        done: turn === 3,
      }),
    );
    const { status, stderr, stdout } = await run(heard.url, '--updates', '20');
    expect(status, stderr).toBe(0);
    const { experiment, arms } = JSON.parse(stdout);
    expect(experiment.environment.settings).toMatchObject({ actionField: 'action', observationField: '' });
    expect(stderr).not.toContain('paid 0');
    expect(new Set(heard.actions.map(({ action }) => action))).toEqual(new Set(['UP', 'DOWN', 'LEFT', 'RIGHT']));
    const { return: returns } = arms[0].seeds[0].curve;
    expect(returns.at(-1)).toBeGreaterThan(returns[0] + 0.5);
    expect(new Set(heard.codes)).toEqual(new Set([1000]));
  });

  test('with an integer is played where its numbers are named, and refused by name where they are not', async () => {
    const action = { type: 'object', properties: { column: { type: 'integer' } }, required: ['column'] };
    const heard = await listen({ action, observation: {} }, (_, turn) => ({
      observation: { board: [turn] },
      reward: 0,
      done: turn === 2,
    }));
    const refused = await run(heard.url, '--updates', '1');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(
      /cannot be sent: column is an integer without bounds\. Name the values .*#column=0\.\.3/,
    );
    expect(heard.actions).toEqual([]);
    const { status, stderr } = await run(`${heard.url}#column=0..6`, '--updates', '6');
    expect(status, stderr).toBe(0);
    expect(stderr.match(/paid 0 in each of its first 32 episodes/g)).toHaveLength(1);
    expect([...new Set(heard.actions.map(({ column }) => column))].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

/** A clone of OpenEnv's repository. */
const clone = process.env.OPENENV;
const hasAll = () => spawnSync('python3', ['-c', 'import fastapi, fastmcp, uvicorn, websockets']).status === 0;
const isThere = isNightly && clone !== undefined && hasAll();
if (isNightly && !isThere)
  console.warn('OPENENV names no clone of its repository, or python3 lacks fastapi, fastmcp, uvicorn or websockets.');

describe.runIf(isThere)('OpenEnv’s own', () => {
  const serve = async (world: string): Promise<{ url: string; said: () => string; process: ChildProcess }> => {
    const server = spawn('python3', ['test/cli/openenv/serve_world.py', clone ?? '', world]);
    let said = '';
    server.stderr.on('data', (text) => {
      said += text;
    });
    open.push({ close: () => server.kill() });
    const port = await new Promise<string>((resolve, reject) => {
      server.stdout.once('data', (text) => resolve(String(text).trim()));
      server.once('exit', () => reject(new Error(said)));
    });
    return { url: `http://127.0.0.1:${port}`, said: () => said, process: server };
  };

  test.each([
    ['echo_env', '', ['--updates', '2', '--set', 'environment.actionLength=4', '--set', 'environment.turns=3']],
    [
      'grid_world_env',
      '',
      ['--updates', '6', '--set', 'environment.turns=32', '--set', 'environment.observationLength=16'],
    ],
    ['connect4_env', '#column=0..6', ['--updates', '2', '--set', 'environment.observationLength=64']],
    ['maze_env', '#action=0..3', ['--updates', '2', '--set', 'environment.observationLength=64']],
  ])('%s is trained in', async (world, named, more) => {
    const { url, said } = await serve(world);
    const stdout = printed(await run(`${url}${named}`, ...more));
    const { curve } = JSON.parse(stdout).arms[0].seeds[0];
    expect(curve.return.every(Number.isFinite)).toBe(true);
    if (world === 'grid_world_env') expect(Math.max(...curve.return)).toBeGreaterThan(Math.min(...curve.return));
    expect(said()).not.toMatch(/Traceback|ERROR/);
  });
});
