/** A folder of `lab scale`, its world served, and a tiny random model, for tests that play it in Python. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { sharedFolder } from './folder';
import { lab, printed } from './lab';
import { python } from './python';

/** Function that writes the folder of a preset's world-model arm and serves its world until the test file ends. */
export function servedFolders(
  preset = 'gridworld-tiny',
): (trainer: string, ...more: string[]) => Promise<{ folder: string; model: string; url: string }> {
  const at = sharedFolder();
  const served = servedHere();
  return async (trainer, ...more) => {
    const [folder, model] = [at(trainer), at('model')];
    printed(python('test/cli/trl/tiny_model.py', model));
    printed(lab('scale', preset, '--arm', 'world-model', ...more, '--to', trainer, '--out', folder));
    return { folder, model, url: await served(folder) };
  };
}

/** Function that serves the world of such a folder until the test file ends, and gives its address. */
export function servedHere(): (folder: string) => Promise<string> {
  const servers: ChildProcess[] = [];
  afterAll(() => {
    for (const server of servers) server.kill('SIGTERM');
  });
  return async (folder) => {
    const options = ['--port', '0', '--json'];
    const server = spawn('bash', [join(folder, 'serve.sh'), ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    servers.push(server);
    const line = await new Promise<string>((resolve) => server.stdout.once('data', (data) => resolve(String(data))));
    return JSON.parse(line).url;
  };
}
