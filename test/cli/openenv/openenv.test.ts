/** `lab run --environment openenv:URL`: training in a world that another process serves, and what happens when it goes. */
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { environmentArgument } from '../../../src/cli/openenv/argument';
import { WorldServer } from '../../../src/cli/serve/server';
import { defaultSettings, environments } from '../../../src/environments/registry';
import type { Fields, Served } from '../../../src/environments/served/contract';
import { labWorld } from '../../../src/environments/served/labWorld';
import { freshFolder } from '../../support/folder';
import { labBeside } from '../../support/lab';
import { textServed } from '../../support/openEnv';

const at = freshFolder();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A small gridworld; `onStep` hears of every step. */
function grid(onStep: () => void = () => {}): Served {
  const definition = environments.gridworld;
  if (definition === undefined) throw new Error('There is no gridworld.');
  const environment = definition.create({ ...defaultSettings('gridworld'), size: 3, horizon: 6 });
  const served = labWorld({ ...definition, environment });
  return {
    ...served,
    create() {
      const episodes = served.create();
      return {
        reset: (...given) => episodes.reset(...given),
        state: () => episodes.state(),
        step: (action: Fields, more: Fields) => {
          onStep();
          return episodes.step(action, more);
        },
      };
    },
  };
}

async function serve(served: Served, port = 0): Promise<string> {
  const server = new WorldServer(served, { host: '127.0.0.1', port, sessions: 256, idle: 3600 });
  open.push(server);
  return server.listen();
}

/** A way to a server that can be cut, for a moment or for good. */
async function way(to: string, at = 0): Promise<{ url: string; cut: () => void; close: () => void }> {
  const sockets = new Set<Socket>();
  const { port, hostname } = new URL(to);
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(at, '127.0.0.1', done));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): void => {
    server.close();
    cut();
  };
  open.push({ close });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, cut, close };
}

const TINY = ['gridworld-tiny', '--backend', 'cpu', '--arms', 'world-model', '--seeds', '0'];
const inWorld = (url: string, updates: number): string[] => [
  ...TINY,
  '--updates',
  String(updates),
  '--environment',
  `openenv:${url}`,
];
const curvesIn = (stdout: string): unknown => {
  const { arms } = JSON.parse(stdout);
  return arms;
};

describe('A world behind a server', () => {
  test('is learned in, with the same numbers after a broken connection', async () => {
    const whole = await labBeside('run', ...inWorld(await serve(grid()), 4), '--json');
    expect(whole.status, whole.stderr).toBe(0);

    let steps = 0;
    let cuts = 0;
    let cut = (): void => {};
    const world = grid(() => {
      if (++steps % 40 === 0 && cuts++ < 2) cut();
    });
    const road = await way(await serve(world));
    cut = road.cut;
    const broken = await labBeside('run', ...inWorld(road.url, 4), '--json');
    expect(broken.status, broken.stderr).toBe(0);
    expect(cuts).toBeGreaterThanOrEqual(2);
    expect(curvesIn(broken.stdout)).toEqual(curvesIn(whole.stdout));
  });

  test('that goes for good leaves a run that can be continued', async () => {
    let steps = 0;
    let close = (): void => {};
    // An update has 32 episodes of at most 6 steps: the server goes in the fourth or later, long before the first save.
    const world = grid(() => {
      if (++steps > 32 * 6 * 3) close();
    });
    const url = await serve(world);
    const road = await way(url);
    close = road.close;
    const args = [...inWorld(road.url, 1000), '--out', at('run'), '--json'];
    const { status, stderr } = await labBeside('run', ...args);
    expect(status).toBe(1);
    expect(stderr).toMatch(/The world at .* cannot be played: .*To continue from update (\d+): npm run/s);
    const { arms } = JSON.parse(readFileSync(at('run/result.json'), 'utf8'));
    expect(arms[0].seeds[0].curve.successRate.length).toBeGreaterThan(0);
    const saved = Number(/To continue from update (\d+)/.exec(stderr)?.[1]);
    expect(saved).toBeGreaterThanOrEqual(3);
    await way(url, Number(new URL(road.url).port));
    close = () => {};
    const resumed = await labBeside('run', '--resume', at('run'), '--updates', String(saved + 2), '--json');
    expect(resumed.status, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout).arms[0].seeds[0].curve.update).toHaveLength(saved + 2);
  });

  test('without declared words is played by bytes, and cuts are told', async () => {
    const url = await serve(textServed('strict'));
    const { status, stdout, stderr } = await labBeside(
      'run',
      ...inWorld(url, 1),
      ...[
        '--set',
        'environment.observationLength=8',
        '--set',
        'environment.actionLength=3',
        '--set',
        'environment.turns=3',
      ],
      '--json',
    );
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/An observation of \d+ tokens was cut to 8/);
    const { experiment, arms } = JSON.parse(stdout);
    expect(experiment.environment.settings).toMatchObject({ url, actions: '', words: '' });
    // Two steps of 0.5 and one of 1.
    expect(arms[0].seeds[0].curve.return).toEqual([2]);
  });
});

describe('Refused is', () => {
  test.each([
    ['openenv:nowhere', /is no world behind OpenEnv’s protocol/],
    ['gridworld', /is no world behind/],
    ['openenv:http://127.0.0.1:9', /did not describe its world/],
  ])('--environment %s', async (text, words) => {
    await expect(environmentArgument(text)).rejects.toThrow(words);
  });

  test('a world whose actions are no text', async () => {
    const schema = { action: { properties: { x: { type: 'integer' } }, required: ['x'] }, observation: {}, state: {} };
    const url = await serve({ ...textServed('strict'), schema });
    await expect(environmentArgument(`openenv:${url}`)).rejects.toThrow(
      /cannot be sent: x is an integer without bounds\..*#x=0\.\.3/,
    );
  });
});
