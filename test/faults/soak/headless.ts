/**
 * Soak of `lab run`: 64 members train on after a history of 50,000 updates. Halfway the process is killed; at the end it is asked
 * to stop. The next process must go on from what the checkpoint had by then.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeCheckpoint, encodeCheckpoint } from '../../../src/train/run/keep/checkpoint';
import { LAB_COMMAND } from '../../support/lab';
import { pause, start, updatesIn } from '../running';
import { ARMS, FOLDER, HISTORY, MOST, PRESET, SEEDS, type SoakPart, spanOf } from './part';

const RUN = join(FOLDER, 'headless');
const CHECKPOINT = join(RUN, 'checkpoint.safetensors');
/** Milliseconds between two looks at the process. */
const LOOK_EVERY = 15_000;

export async function soakHeadless(hours: number): Promise<SoakPart> {
  if (!existsSync(CHECKPOINT)) await prefill();
  const lost: string[] = [];
  const memory: number[] = [];
  const first = updatesIn(CHECKPOINT);
  const stored = statSync(CHECKPOINT).size;
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const before = updatesIn(CHECKPOINT);
    const run = start([...LAB_COMMAND, 'run', '--resume', RUN, '--updates', String(MOST), '--workers', '1']);
    const end = performance.now() + (hours * 3_600_000) / 2;
    // Until it has begun, the code and the history are being read.
    await run.said('update ');
    while (performance.now() < end && run.child.exitCode === null) {
      await pause(LOOK_EVERY);
      memory.push(memoryOf(run.child.pid as number));
    }
    const acknowledged = updatesIn(CHECKPOINT);
    run.child.kill(signal);
    const { code, stderr } = await run.ended;
    if (signal === 'SIGTERM' && code !== 130) lost.push(`exit code ${code}: ${stderr.slice(-500)}`);
    if (updatesIn(CHECKPOINT) < acknowledged)
      lost.push(`update ${acknowledged}; ${updatesIn(CHECKPOINT)} is there after ${signal}`);
    if (updatesIn(CHECKPOINT) <= before)
      lost.push(`nothing was trained and kept in half a part: ${stderr.slice(-500)}`);
  }
  const { curves, snapshot } = decodeCheckpoint(readFileSync(CHECKPOINT));
  if (!curves.some((value) => value > 0)) lost.push('the curves');
  return {
    what: `\`lab run\`, ${ARMS.length * SEEDS} members, killed halfway`,
    hours,
    updates: { first, last: snapshot.update },
    memory: spanOf(memory),
    stored: { first: stored, last: statSync(CHECKPOINT).size },
    remark: '',
    lost,
  };
}

/** Trains one update, and makes of it a run with a history. */
async function prefill(): Promise<void> {
  rmSync(RUN, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const members = ['--arms', ARMS.join(), '--seeds', `0-${SEEDS - 1}`, '--workers', '1', '--backend', 'cpu'];
  const { code, stderr } = await start([...LAB_COMMAND, 'run', PRESET, ...members, '--updates', '1', '--out', RUN])
    .ended;
  if (code !== 0) throw new Error(stderr);
  const { snapshot, curves: row, ...run } = decodeCheckpoint(readFileSync(CHECKPOINT));
  const curves = new Float32Array(HISTORY * row.length);
  for (let update = 0; update < HISTORY; update++) curves.set(row, update * row.length);
  const experiment = { ...run.experiment, updates: MOST };
  writeFileSync(
    CHECKPOINT,
    encodeCheckpoint({
      ...run,
      experiment,
      curves,
      tokens: HISTORY * run.tokens,
      snapshot: { ...snapshot, update: HISTORY },
    }),
  );
}

/** Memory that a process holds, bytes; 0 where the system does not tell. */
function memoryOf(process: number): number {
  return 1024 * Number(spawnSync('ps', ['-o', 'rss=', '-p', String(process)], { encoding: 'utf8' }).stdout.trim());
}
