/** A folder of `lab scale`, its world served, and a tiny random model, for tests that play it in Python. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { lab } from './lab';
import { python } from './python';

/** Function that writes the folder of a preset's world-model arm and serves its world until the test file ends. */
export function servedFolders(
  preset = 'gridworld-tiny',
): (trainer: string, ...more: string[]) => Promise<{ folder: string; model: string; url: string }> {
  const root = mkdtempSync(join(tmpdir(), 'unmask-folder-'));
  const servers: ChildProcess[] = [];
  afterAll(() => {
    for (const server of servers) server.kill('SIGTERM');
    rmSync(root, { recursive: true });
  });
  return async (trainer, ...more) => {
    const [folder, model] = [join(root, trainer), join(root, 'model')];
    const made = python('test/cli/trl/tiny_model.py', model);
    expect(made.status, made.stderr).toBe(0);
    const written = lab('scale', preset, '--arm', 'world-model', ...more, '--to', trainer, '--out', folder);
    expect(written.status, written.stderr).toBe(0);
    const server = spawn('bash', [join(folder, 'serve.sh'), '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    servers.push(server);
    const line = await new Promise<string>((resolve) => server.stdout.once('data', (data) => resolve(String(data))));
    return { folder, model, url: JSON.parse(line).url };
  };
}
