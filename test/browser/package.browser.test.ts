/**
 * The packed package in an empty folder, without its dependencies: its engine trains in Node and in a page without a bundler, from
 * the page's own origin and from another, and its types need no others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildEngine } from '../../scripts/engine.mjs';
import { chromiumHere } from '../support/chromiumHere';
import { sharedFolder } from '../support/folder';
import { labResult, printed } from '../support/lab';
import { type StaticServer, serveFolder } from '../support/staticServer';

const at = sharedFolder();
const lines = readFileSync('docs/engine.md', 'utf8');
const example = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(lines)?.[1] ?? '';
const place = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

/** Curves as JSON has them. */
type Arms = readonly { readonly id: string; readonly seeds: readonly unknown[] }[];
let curves: Arms = [];

beforeAll(async () => {
  await buildEngine();
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', at()], {
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  mkdirSync(at('node_modules/unmask'), { recursive: true });
  const unpack = ['-xzf', at(filename), '--strip-components=1', '-C', at('node_modules/unmask')];
  execFileSync('tar', unpack);
  curves = labResult<{ arms: Arms }>('run', 'gridworld-tiny', '--backend', 'cpu', '--out', at('run')).arms;
});

/** What a script prints that is run in the folder. */
function inNode(name: string, script: string): string {
  return printed(spawnSync(process.execPath, [place(name, script)], { cwd: at(), encoding: 'utf8' }));
}

describe('in Node', () => {
  test('ten lines print the curves', () => {
    const said = inNode('ten.mjs', example('js')).trim().split('\n');
    expect(example('js').trim().split('\n').length).toBeLessThanOrEqual(10);
    expect(said.filter((line) => /[▁▂▃▄▅▆▇█]{20,}$/.test(line))).toHaveLength(curves.length);
    expect(readdirSync(at('node_modules'))).toEqual(['unmask']);
  });

  test('the numbers are those of the command line, from one thread and from two', () => {
    const script = (workers: number): string => `import { train } from 'unmask';
      const { arms } = await train('gridworld-tiny', { backend: 'cpu', workers: ${workers}, say() {} });
      console.log(JSON.stringify(arms));`;
    for (const workers of [1, 2]) expect(JSON.parse(inNode('numbers.mjs', script(workers)))).toEqual(curves);
  });

  test('a policy that it trained is loaded and plays, here and on the command line; the result is read again', () => {
    const script = `import { loadPolicy, readResult, train } from 'unmask';
      import { readFileSync, writeFileSync } from 'node:fs';
      const run = await train('gridworld-tiny', { backend: 'cpu', seeds: [0], set: { updates: 3 }, say() {} });
      const file = run.policy('no-mask', 0);
      writeFileSync('policy.onnx', file);
      const policy = await loadPolicy(file);
      const { training, heldOut } = await policy.play({ episodes: 8 });
      const { arms } = await readResult(readFileSync('run/result.json', 'utf8'));
      console.log(JSON.stringify({ update: policy.update, training, heldOut, arms }));`;
    const { update, training, heldOut, arms } = JSON.parse(inNode('policy.mjs', script));
    expect(update).toBe(3);
    const played = labResult<Record<string, unknown>>('eval', at('policy.onnx'), '--episodes', '8');
    expect(played).toMatchObject({ training, heldOut });
    expect(curves).toMatchObject(arms);
    expect(arms[0].summary.final.mean).toBeGreaterThan(0);
  });

  test('a loss of one’s own and a world in one file are trained', () => {
    const world = readFileSync('worlds/bandit.js', 'utf8');
    const script = `import { compileLoss, makeWorld, train } from 'unmask';
      const loss = compileLoss('loss = -A * logp');
      const text = ${JSON.stringify(world)};
      const world = await makeWorld(text);
      const first = world.reset(1);
      const turn = world.step(first.legal[0]);
      const set = { updates: 2, ...loss.on('action-mask') };
      let updates = 0;
      const options = { backend: 'cpu', world: text, set, seeds: [0], say() {}, onUpdate: (done) => { updates = done; } };
      const { experiment, arms } = await train('gridworld-tiny', options);
      const own = experiment.arms.find(({ id }) => id === 'action-mask').losses[0].text;
      console.log(JSON.stringify({ first, turn, own, updates, rates: arms[0].seeds[0].curve.successRate,
        well: world.check(50).every(({ ok }) => ok !== false), python: loss.to('trl', 'mine').includes('GRPOTrainer') }));`;
    const { first, turn, rates, ...told } = JSON.parse(inNode('world.mjs', script));
    expect(told).toEqual({ own: 'loss = -A * logp', updates: 2, well: true, python: true });
    expect(first).toMatchObject({ text: expect.stringContaining(first.legal[0]), reward: 0, done: false });
    expect(turn.text).not.toBe(first.text);
    expect(rates).toHaveLength(2);
  });

  test.each([
    ["train('gridwrld-tiny')", /neither a preset nor a link\. Did you mean gridworld-tiny\?/],
    ["train('gridworld-tiny', { set: { updtes: 3 } })", /^Setting updtes=3: .*Correct its spelling/],
    ["train('gridworld-tiny', { backend: 'webgpu', set: { updates: 1 } })", /could not be started in Node.*Choose/],
    ["compileLoss('loss = ')", /^Line 1, column 8: .*Complete the line/],
    ['loadPolicy(new Uint8Array(9))', /not an ONNX file.*Choose/],
    ["makeWorld('nowhere')", /neither a preset nor a link/],
    ["makeWorld('gridworld').then((world) => world.step('up'))", /Begin an episode with reset/],
    ["readResult('{}')", /cannot be read as a result.*Give the result\.json/],
  ])('%s is refused, with advice', (call, words) => {
    const script = `import * as unmask from 'unmask';
      const { train, compileLoss, loadPolicy, makeWorld, readResult } = unmask;
      const told = await (async () => ${call})().catch((error) => error);
      console.log(told instanceof unmask.LabError && told.advice !== '', told.message);`;
    const [, message = ''] = /^true (.*)/.exec(inNode('refused.mjs', script)) ?? [];
    expect(message).toMatch(words);
  });
});

test('its types need no others, and are those of the lab', { timeout: 300_000 }, () => {
  place(
    'uses.ts',
    `import { type Experiment, LabError, train } from 'unmask';
    const run = await train('gridworld-tiny', { backend: 'cpu', set: { updates: 2 } });
    export const rates: (number | null)[] | undefined = run.arms[0]?.seeds[0]?.curve.successRate;
    export const changed: Experiment = { ...run.experiment, updates: 3 };
    export const isTyped = (error: unknown): string => (error instanceof LabError ? error.code : '');
    // @ts-expect-error: there is no such backend
    await train(changed, { backend: 'tpu' });`,
  );
  place(
    'same.ts',
    `import type { Experiment as Printed, MetricName as Metrics } from 'unmask';
    import type { Experiment } from '${process.cwd()}/.cache/types/src/experiment/experiment';
    import type { MetricName } from '${process.cwd()}/.cache/types/src/rl/measure/metrics';
    export const there = (one: Experiment): Printed => one;
    export const back = (one: Printed): Experiment => one;
    export const metrics = (one: Metrics): MetricName => one;
    export const known = (one: MetricName): Metrics => one;`,
  );
  place('package.json', '{"type": "module"}');
  const compile = (file: string, ...more: string[]): string => {
    const args = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
      ...more,
      file,
    ];
    const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [compiler, ...args], { cwd: at(), encoding: 'utf8' }).stdout;
  };
  expect(compile('uses.ts', '--module', 'nodenext', '--types', '')).toBe('');
  expect(
    compile('same.ts', '--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck', '--types', ''),
  ).toBe('');
});

describe('in a page without a bundler', () => {
  const browser = chromiumHere();
  let own: StaticServer;
  let other: StaticServer;

  beforeAll(async () => {
    place('index.html', `<!doctype html><title>A page</title>${example('html')}`);
    place('empty.html', '<!doctype html><title>A page</title>');
    own = await serveFolder(at(), '/');
    other = await serveFolder(at(), '/', 0, { 'Access-Control-Allow-Origin': '*' });
  });
  afterAll(async () => {
    await own?.close();
    await other?.close();
  });

  /** Trains in an empty page with the engine of an address. */
  const trainedIn = (page: Page, from: string): Promise<{ arms: string; said: string[]; ranOn: string }> =>
    page.evaluate(`(async () => {
      const { train } = await import('${from}node_modules/unmask/engine/page.js');
      const said = [];
      const { arms, ranOn } = await train('gridworld-tiny', { backend: 'cpu', say: (text) => said.push(text) });
      return { arms: JSON.stringify(arms), said, ranOn };
    })()`);

  test('the lines of the document draw the curve of each arm', async () => {
    const page = await browser().newPage();
    const failed: string[] = [];
    page.on('pageerror', (error) => failed.push(error.message));
    await page.goto(own.url);
    const isDrawn = () => {
      const { width, height } = document.querySelector('canvas') as HTMLCanvasElement;
      const pen = document.querySelector('canvas')?.getContext('2d');
      const marks = pen?.getImageData(0, 0, width, height).data.filter((value, i) => i % 4 === 3 && value > 0) ?? [];
      return marks.length > 2 * width;
    };
    await page.waitForFunction(isDrawn);
    expect(failed).toEqual([]);
    await page.close();
  });

  test('the numbers are those of the command line', async () => {
    const page = await browser().newPage();
    await page.goto(`${own.url}empty.html`);
    const { arms, said, ranOn } = await trainedIn(page, own.url);
    expect(JSON.parse(arms)).toEqual(curves);
    expect(said).toEqual([ranOn]);
    expect(ranOn).not.toContain('one thread, the page’s own');
    expect(own.requests.some(({ path }) => path.endsWith('engine/pageWorker.js'))).toBe(true);
    await page.close();
  });

  test('its GPU trains', async () => {
    const page = await browser().newPage();
    await page.goto(`${own.url}empty.html`);
    const arms = await page.evaluate(`(async () => {
      const { train } = await import('${own.url}node_modules/unmask/engine/page.js');
      const options = { backend: 'webgpu', seeds: [0], set: { updates: 1 }, say() {} };
      const { backend, arms } = await train('gridworld-tiny', options);
      return { backend, norms: arms.map(({ seeds }) => seeds[0].curve.gradNorm[0] > 0) };
    })()`);
    expect(arms).toEqual({ backend: 'webgpu', norms: curves.map(() => true) });
    await page.close();
  });

  test('from another origin one thread gives the same numbers, and says why', async () => {
    const page = await browser().newPage();
    await page.goto(`${own.url}empty.html`);
    const { arms, said } = await trainedIn(page, other.url);
    expect(JSON.parse(arms)).toEqual(curves);
    expect(said.join()).toContain('one thread, the page’s own, for a browser starts no Worker of another origin');
    expect(other.requests.some(({ path }) => path.endsWith('engine/pageWorker.js'))).toBe(false);
    await page.close();
  });
});
