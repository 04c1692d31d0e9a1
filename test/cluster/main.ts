/**
 * `npm run test:cluster`: shards on a real Slurm. An array is submitted as `lab submit slurm` prints it; one shard is told to
 * stop, and the node of another is killed with -9. The merge must equal the run on one machine, byte for byte. Where Slurm
 * cannot be had it says so and ends well.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Cluster, until } from './cluster';
import { unpackSlurm } from './packages';

const SHARDS = 3;
/** Seconds that a shard should train: long enough for things to happen to it. */
const SHARD_SECONDS = 15;
const PRESET = ['gridworld-tiny', '--backend', 'cpu'];
const lab = (...args: string[]): string =>
  execFileSync(process.execPath, ['scripts/run.mjs', 'src/cli/main.ts', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const say = (text: string): void => console.log(`[${process.uptime().toFixed(0).padStart(3)} s] ${text}`);

const slurm = unpackSlurm(resolve('.cache/slurm'));
if (typeof slurm === 'string') {
  console.log(`Cluster test: not run, because ${slurm}.`);
} else {
  const cluster = new Cluster(slurm);
  try {
    await test(cluster);
  } catch (cause) {
    for (const log of [
      'slurmctld-wlm',
      'node1',
      'node2',
      'shards/shard-1',
      'shards/shard-2',
      'shards/shard-3',
      'shards/merge',
    ]) {
      const path = join(cluster.folder, `${log}.log`);
      if (existsSync(path)) console.error(`--- ${log}\n${readFileSync(path, 'utf8').slice(-2000)}`);
    }
    throw cause;
  } finally {
    cluster.stop();
  }
}

async function test(cluster: Cluster): Promise<void> {
  const out = join(cluster.folder, 'shards');
  const joint = join(cluster.folder, 'joint');
  const trial = lab('run', ...PRESET, '--shard', `1/${SHARDS}`, '--workers', '1', '--updates', '100', '--json');
  const updates = Math.ceil((100 * SHARD_SECONDS) / JSON.parse(trial).wallSeconds);
  const run = [...PRESET, '--updates', String(updates)];
  lab('run', ...run, '--out', joint);
  say(`The run on one machine is done: ${updates} updates.`);
  await cluster.start(['node1', 'node2']);
  say(`${cluster.slurm('sinfo', '--version').trim()}: a controller and two nodes.`);

  const job = join(cluster.folder, 'job.sh');
  const size = ['--shards', String(SHARDS), '--cpus', '1', '--memory', '1M', '--time', '0:30:00', '--out', out];
  writeFileSync(job, lab('submit', 'slurm', ...run, ...size));
  const said = cluster.slurm('bash', job);
  const id = /job (\d+)/.exec(said)?.[1] ?? '';
  say(said.trim());

  const taskOn = (node: string): string =>
    cluster.slurm('squeue', '-h', '-r', '-t', 'R', '-w', node, '-o', '%K').trim();
  const isSaved = (task: string): boolean => existsSync(join(out, task, 'checkpoint.safetensors'));
  const isOver = (task: number): boolean => existsSync(join(out, String(task), 'result.json'));
  await until('two shards that have saved', () => {
    if (isOver(1) && isOver(2))
      throw new Error('They were done before anything could happen to them: this machine changes its speed.');
    return isSaved(taskOn('node1')) && isSaved(taskOn('node2'));
  });
  const [killed, told] = [taskOn('node1'), taskOn('node2')];
  say(
    `Shard ${killed}: node1 is killed, ${cluster.killNode('node1')} processes with it. Shard ${told} is told to stop.`,
  );
  cluster.slurm('scancel', '--batch', '--signal=TERM', `${id}_${told}`);

  await until('the merged run', () => {
    hurry(cluster);
    return existsSync(join(out, 'all/result.json'));
  });
  await until('the end of the merge', () => cluster.slurm('squeue', '-h').trim() === '');
  for (const task of [killed, told]) {
    const restarts = /Restarts=(\d+)/.exec(cluster.slurm('scontrol', 'show', 'job', `${id}_${task}`))?.[1];
    say(`Shard ${task} was started ${Number(restarts) + 1} times.`);
    if (restarts !== '1') throw new Error(`Shard ${task} was restarted ${restarts} times, not once.`);
  }
  const resultIn = (folder: string): string => {
    const { wallSeconds, ...result } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
    return JSON.stringify(result);
  };
  const checkpointIn = (folder: string): Buffer => readFileSync(join(folder, 'checkpoint.safetensors'));
  const all = join(out, 'all');
  if (resultIn(all) !== resultIn(joint)) throw new Error('The merged result is another one than that of one machine.');
  if (!checkpointIn(all).equals(checkpointIn(joint))) throw new Error('The merged checkpoint is another one.');
  say('The merged run is that of one machine: result and checkpoint, byte for byte.');
}

/** Slurm holds what it queued again for two minutes; nobody here needs to wait. */
function hurry(cluster: Cluster): void {
  for (const line of cluster.slurm('squeue', '-h', '-r', '-t', 'PD', '-o', '%i %r').split('\n')) {
    const [task, reason] = line.split(' ');
    if (task !== undefined && reason === 'BeginTime') {
      cluster.slurm('scontrol', 'update', `JobId=${task}`, 'StartTime=now');
    }
  }
}
