/** The folder that `lab scale` writes for TRL trains for real: its world served, a tiny random model, TRL on the CPU. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lab } from '../support/lab';
import { isNightly } from '../support/nightly';

const root = mkdtempSync(join(tmpdir(), 'unmask-trl-'));
let server: ChildProcess | undefined;
afterAll(() => {
  server?.kill('SIGTERM');
  rmSync(root, { recursive: true });
});

const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' });

test.runIf(isNightly)('an arm’s loss on observations falls where TRL trains', async (context) => {
  const made = python('test/cli/trl/tiny_model.py', join(root, 'model'));
  const hasAll = python('-c', 'import trl, websockets').status === 0;
  if (!hasAll) context.skip('python3 has no trl or websockets here');
  expect(made.status, made.stderr).toBe(0);
  const folder = join(root, 'folder');
  // What a random model says is seldom a move, so warnings are predicted too.
  const arm = ['--arm', 'world-model', '--set', 'arms.world-model.ce.warning=0.1'];
  expect(lab('scale', 'gridworld-tiny', ...arm, '--to', 'trl', '--out', folder).status).toBe(0);
  const serve = spawn('bash', [join(folder, 'serve.sh'), '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = serve;
  const line = await new Promise<string>((resolve) => serve.stdout.once('data', (data) => resolve(String(data))));
  const words = ['--longest-answer', '6', '--steps', '12', '--learning-rate', '0.01', '--world', JSON.parse(line).url];
  const { status, stdout, stderr } = spawnSync('python3', ['train.py', join(root, 'model'), ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const logged = [
    ...`${stdout}${stderr}`.matchAll(/'loss': '([-\d.e]+)'.*?'entropy': '([\d.]+)'.*?'prediction': '([\d.]+)'/g),
  ];
  const [losses, entropies, predictions] = [1, 2, 3].map((at) => logged.map((match) => Number(match[at])));
  // At random a byte is ln 259 = 5.56 nats; the few that name rooms are soon known. docs/scale.md tells both numbers.
  const told = /falls from ([\d.]+) to ([\d.]+) nats/.exec(readFileSync('docs/scale.md', 'utf8')) ?? [];
  expect(predictions?.[0]).toBeCloseTo(Number(told[1]), 1);
  expect(predictions?.[11]).toBeCloseTo(Number(told[2]), 0);
  // No episode succeeds yet, so the loss is λ · prediction − the entropy bonus.
  const first = 0.1 * (predictions?.[0] ?? 0) - 0.01 * (entropies?.[0] ?? 0);
  expect(losses?.[0]).toBeCloseTo(first, 2);
});
