/** The folder that `lab scale` writes for verl, by verl's own classes and functions: its world served, its agent loop played. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lab } from '../../support/lab';
import { isNightly } from '../../support/nightly';

const root = mkdtempSync(join(tmpdir(), 'unmask-verl-'));
let server: ChildProcess | undefined;
afterAll(() => {
  server?.kill('SIGTERM');
  rmSync(root, { recursive: true });
});

const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' });

/** A clone of verl's repository at the commit that the folder names. */
const clone = process.env.VERL;

test.runIf(isNightly)('verl’s agent loop plays the world and marks what it shows', async (context) => {
  if (clone === undefined) context.skip('VERL names no clone of its repository');
  const hasAll = python('-c', 'import torch, transformers, yaml, pydantic, websockets').status === 0;
  if (!hasAll) context.skip('python3 lacks torch, transformers, yaml, pydantic or websockets');
  const [model, folder] = [join(root, 'model'), join(root, 'folder')];
  expect(python('test/cli/trl/tiny_model.py', model).status).toBe(0);
  expect(lab('scale', 'gridworld-tiny', '--arm', 'world-model', '--to', 'verl', '--out', folder).status).toBe(0);
  const serve = spawn('bash', [join(folder, 'serve.sh'), '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = serve;
  const line = await new Promise<string>((resolve) => serve.stdout.once('data', (data) => resolve(String(data))));
  const { status, stdout, stderr } = python(
    'test/cli/verl/play.py',
    clone as string,
    folder,
    model,
    JSON.parse(line).url,
  );
  expect(status, stderr).toBe(0);
  const { prompt, said, shown, loss, keys, ...rest } = JSON.parse(stdout);
  expect(prompt).toMatch(
    /^<\|im_start\|>user\nGo to the goal\.[\s\S]*Legal now: up down left right\.\n\n\w\d \w\d<\|im_end\|>/,
  );
  expect(said).toMatch(/^up<\|im_end\|>I will go right\.<\|im_end\|>nowhere<\|im_end\|>down/);
  // Names of cells; of the warning and the template nothing.
  expect(shown).toMatch(/^(\w\d)+$/);
  expect(rest).toEqual({
    overlap: 0,
    sampled: true,
    reward: expect.any(Number),
    turns: expect.any(Number),
    steps: { min_global_steps: 2, max_global_steps: 4 },
    unknown: [],
  });
  expect(loss[0]).toBeCloseTo(loss[1], 5);
  expect(keys).toBeGreaterThan(40);
});
