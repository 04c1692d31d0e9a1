/** A Slurm cluster on this machine: a controller and two nodes with one processor each, as the present user. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Slurm } from './packages';

/** Seconds without an answer after which the controller gives a node up. */
const GIVEN_UP = 10;

export class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'unmask-cluster-'));
  readonly #slurm: Slurm;
  readonly #env: NodeJS.ProcessEnv;
  readonly #daemons = new Map<string, ChildProcess>();

  constructor(slurm: Slurm) {
    this.#slurm = slurm;
    const PATH = `${join(slurm.root, 'usr/bin')}:${process.env.PATH}`;
    const SLURM_CONF = join(this.folder, 'slurm.conf');
    this.#env = { ...process.env, PATH, SLURM_CONF, LD_LIBRARY_PATH: slurm.libraries };
  }

  async start(nodes: readonly string[]): Promise<void> {
    const { folder } = this;
    for (const name of ['state', ...nodes]) mkdirSync(join(folder, name));
    const [controller, ...ports] = await freePorts(1 + nodes.length);
    writeFileSync(join(folder, 'slurm.conf'), this.#settings(controller as number, nodes, ports));
    const key = join(folder, 'munge.key');
    this.#run('mungekey', '--create', `--keyfile=${key}`);
    const files = ['pid-file', 'log-file', 'seed-file'].map((name) => `--${name}=${join(folder, `munge.${name}`)}`);
    this.#daemon('munged', ['--foreground', '--force', `--key-file=${key}`, `--socket=${this.#socket}`, ...files]);
    await until('munge', () => this.#run('munge', `--socket=${this.#socket}`, '--no-input') !== '');
    this.#daemon('slurmctld-wlm', ['-D', '-c']);
    for (const node of nodes) {
      this.#daemon('slurmd-wlm', ['-D', '-N', node, '-d', join(this.#slurm.root, 'usr/sbin/slurmstepd-wlm')], node);
    }
    await until('the nodes', () => this.slurm('sinfo', '-h', '-o', '%D %t').trim() === `${nodes.length} idle`);
  }

  get #socket(): string {
    return join(this.folder, 'munge.socket');
  }

  #settings(controller: number, nodes: readonly string[], ports: readonly number[]): string {
    const { folder } = this;
    const user = userInfo().username;
    return `ClusterName=lab
SlurmctldHost=localhost
SlurmctldPort=${controller}
AuthType=auth/munge
AuthInfo=socket=${this.#socket}
CredType=cred/munge
SlurmUser=${user}
SlurmdUser=${user}
PluginDir=${this.#slurm.plugins}
StateSaveLocation=${join(folder, 'state')}
SlurmdSpoolDir=${folder}/%n
SlurmctldPidFile=${join(folder, 'slurmctld.pid')}
SlurmdPidFile=${folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=5
SlurmdTimeout=${GIVEN_UP}
ReturnToService=2
${nodes.map((name, i) => `NodeName=${name} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[i]} CPUs=1\n`).join('')}PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
  }

  /** Output of one of Slurm's commands. */
  slurm(command: string, ...args: string[]): string {
    return this.#run(command, ...args);
  }

  #run(command: string, ...args: string[]): string {
    const places = ['usr/bin', 'usr/sbin'].map((place) => join(this.#slurm.root, place));
    const place = places.find((one) => readdirSync(one).includes(command));
    const path = place === undefined ? command : join(place, command);
    return execFileSync(path, args, { env: this.#env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  #daemon(name: string, args: readonly string[], node = name): void {
    const log = openSync(join(this.folder, `${node}.log`), 'a');
    const path = join(this.#slurm.root, 'usr/sbin', name);
    this.#daemons.set(node, spawn(path, args, { env: this.#env, stdio: ['ignore', log, log] }));
  }

  /**
   * Ends a node as a loss of power would: its daemon and everything that it runs. All are stopped first, so that none can tell
   * of another's end. Returns how many processes ended.
   */
  killNode(node: string): number {
    const daemon = this.#daemons.get(node)?.pid;
    const all = processes();
    const jobs = all.filter(({ environment }) => environment.includes(`SLURMD_NODENAME=${node}`));
    // The process that watches over a job is its parent, and does not have the job's environment.
    const watchers = all.filter(
      ({ pid, command }) => /slurmstepd/.test(command) && jobs.some((job) => job.parent === pid),
    );
    const ours = all.filter(({ pid }) => pid === daemon);
    const mine = [...new Set([...ours, ...watchers, ...jobs].map(({ pid }) => pid))];
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of mine) process.kill(pid, signal);
    return mine.length;
  }

  stop(): void {
    for (const daemon of this.#daemons.values()) daemon.kill('SIGKILL');
    for (const { pid, environment } of processes()) {
      if (environment.includes(`SLURM_CONF=${join(this.folder, 'slurm.conf')}`)) process.kill(pid, 'SIGKILL');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The user's processes, without this one. */
function processes(): { pid: number; parent: number; environment: readonly string[]; command: string }[] {
  const numbers = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return numbers.flatMap((pid) => {
    try {
      const [environment, command] = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'));
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The program's name before it may contain anything.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid, parent, environment: (environment ?? '').split('\0'), command: command ?? '' }];
    } catch {
      // It has ended, or is another user's.
      return [];
    }
  });
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Waits until a question is answered with true; a command that fails counts as no. Throws after some minutes. */
export async function until(what: string, isTrue: () => boolean, minutes = 5): Promise<void> {
  const end = Date.now() + minutes * 60_000;
  let last: unknown = null;
  while (Date.now() < end) {
    try {
      if (isTrue()) return;
    } catch (cause) {
      if (!(cause instanceof Error && 'status' in cause)) throw cause;
      last = cause;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`Waited ${minutes} minutes for ${what}.`, { cause: last });
}
