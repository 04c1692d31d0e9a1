/**
 * `node scripts/run.mjs bench/serve.ts [sessions] [episodes]`: a served world under load. `lab serve gridworld` in a process of
 * its own; each session plays its episodes with random legal actions. Prints steps a second and the server's memory.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import WebSocket from 'ws';

const [sessions = 64, episodes = 1000] = process.argv.slice(2).map(Number);
const server = spawn(
  process.execPath,
  ['scripts/run.mjs', 'src/cli/main.ts', 'serve', 'gridworld', '--port', '0', '--sessions', String(sessions), '--json'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const { socket: url } = JSON.parse(
  await new Promise<string>((resolve) => server.stdout.once('data', (data) => resolve(String(data)))),
) as { socket: string };

/** Resident memory of the server, in MiB. */
const memory = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
const ACTIONS = ['up', 'down', 'left', 'right'];
let steps = 0;
let played = 0;
const samples = [memory()];

async function play(session: number): Promise<void> {
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('open', resolve));
  const ask = (message: object): Promise<{ data: { done: boolean } }> =>
    new Promise((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(data.toString())));
      socket.send(JSON.stringify(message));
    });
  for (let episode = 0; episode < episodes; episode++) {
    await ask({ type: 'reset', data: { seed: session * episodes + episode } });
    for (let isDone = false; !isDone; steps++) {
      const text = ACTIONS[Math.floor(Math.random() * ACTIONS.length)];
      isDone = (await ask({ type: 'step', data: { text } })).data.done;
    }
    if (++played % Math.ceil((sessions * episodes) / 8) === 0) samples.push(memory());
  }
  socket.close();
}

const started = performance.now();
await Promise.all(Array.from({ length: sessions }, (_, session) => play(session)));
const seconds = (performance.now() - started) / 1000;
samples.push(memory());
console.log(
  `${sessions} sessions × ${episodes} episodes: ${steps} steps in ${seconds.toFixed(1)} s, ${Math.round(steps / seconds)} a second`,
);
console.log(`Memory of the server, MiB, from begin to end: ${samples.map((one) => one.toFixed(0)).join(' ')}`);
server.kill('SIGTERM');
