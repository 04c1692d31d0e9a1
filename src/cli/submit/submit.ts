/**
 * `lab submit`: prints a job that trains a run in shards and merges them, for a scheduler that people have. The job
 * holds the whole experiment, as a link's fragment: it depends on no file but policies.
 */
import { createHash } from 'node:crypto';
import { withSweep } from '../../experiment/grid/axes';
import { cellsOf } from '../../experiment/grid/cells';
import { decodeLink, encodeLink } from '../../experiment/link/link';
import { excerpt, LabError } from '../../foundation/errors';
import { usage } from '../errors';
import { print } from '../output';
import { planRun, type RunArguments, wholeNumber } from '../run/runArguments';
import { chosenMembers, memberName } from '../shards/members';
import { askedSweep } from '../sweep/plan';
import { kubernetesJob } from './kubernetes';
import { parallelJob } from './parallel';
import { type ClusterJob, policyOptions } from './script';
import { slurmJob } from './slurm';

export interface SubmitArguments extends RunArguments {
  shards?: string | undefined;
  time?: string | undefined;
  cpus?: string | undefined;
  memory?: string | undefined;
  image?: string | undefined;
}

const SCHEDULERS = { slurm: slurmJob, kubernetes: kubernetesJob, parallel: parallelJob };
/** Options that a scheduler has no use for. */
const REFUSED = {
  slurm: ['image'],
  // The image for Kubernetes holds no model of the user's own.
  kubernetes: ['time', 'model'],
  parallel: ['image', 'time', 'memory'],
} as const satisfies Record<keyof typeof SCHEDULERS, readonly (keyof SubmitArguments)[]>;
const NAMES = Object.keys(SCHEDULERS).join(', ');

/** Checks the arguments. Returns a function that prints the job and gives the exit code. */
export async function submitCommand(
  [scheduler, subject]: readonly string[],
  options: SubmitArguments,
): Promise<() => number> {
  if (scheduler === undefined || !Object.hasOwn(SCHEDULERS, scheduler)) {
    throw usage(`There is no scheduler “${scheduler ?? ''}”.`, `Choose one of: ${NAMES}.`);
  }
  const known = scheduler as keyof typeof SCHEDULERS;
  const refused = REFUSED[known].find((option) => options[option] !== undefined);
  if (refused !== undefined) throw usage(`A job for ${known} has no use for --${refused}.`, 'Leave it out.');
  const job = await planJob(subject, options);
  const text = SCHEDULERS[known](job);
  return () => {
    print(options.json ? `${JSON.stringify({ scheduler, shards: job.members, job: text })}\n` : text);
    return 0;
  };
}

async function planJob(subject: string | undefined, options: SubmitArguments): Promise<ClusterJob> {
  if (options.shards === undefined)
    throw usage('--shards is missing.', 'Say in how many parts the run is cut: --shards 8.');
  const shards = wholeNumber(options.shards, '--shards');
  const sweep = await askedSweep(subject, options);
  const { experiment, backend } = await planRun(sweep === null ? subject : `#${encodeLink(sweep.experiment)}`, {
    ...(sweep === null ? options : { policy: options.policy, model: options.model, json: options.json }),
    seeds: undefined,
    backend: options.backend ?? 'cpu',
    out: undefined,
    force: undefined,
  });
  if (sweep !== null) cellsOf(experiment, sweep.axes);
  const link = `#${withSweep(encodeLink(experiment), sweep?.axes ?? [])}`;
  if (JSON.stringify(decodeLink(link.slice(1))) !== JSON.stringify(experiment)) {
    throw new LabError('internal', 'The experiment is another one as a link.', 'Please report it.');
  }
  const members = Array.from({ length: shards }, (_, i) =>
    chosenMembers(experiment, { seeds: options.seeds, shard: `${i + 1}/${shards}` }).members.map(memberName),
  );
  if (backend === 'auto' || backend === 'auto-plain') {
    throw usage(
      'Shards on different backends cannot be merged.',
      'Choose --backend cpu or --backend webgpu for all of them.',
    );
  }
  const { time = '2:00:00', memory = '4G', image = 'unmask' } = options;
  const cpus = wholeNumber(options.cpus ?? '2', '--cpus');
  if (cpus === 0) throw usage('--cpus cannot be 0.', 'One is the least.');
  if (!/^(?:\d+-)?\d{1,3}(?::[0-5]\d){1,2}$/.test(time))
    throw usage(`--time ${time} is no time.`, 'Write it like 2:00:00.');
  if (!/^\d{1,6}[MG]$/.test(memory)) throw usage(`--memory ${memory} is no amount.`, 'Write it like 4G or 900M.');
  if (!/^[\w./:@-]{1,200}$/.test(image))
    throw usage(`--image ${excerpt(image)} is no image.`, 'Write it like unmask:1.');
  const seeds = options.seeds === undefined ? [] : ['--seeds', options.seeds];
  const { policy: policies = [] } = options;
  const model = options.model === undefined ? [] : ['--model', options.model];
  const run = [link, '--backend', backend, ...seeds, ...policyOptions(policies), ...model];
  return {
    title: excerpt(experiment.title),
    name: jobName(experiment.preset, [...run, String(shards)]),
    out: options.out ?? `lab-runs/${experiment.preset}-${experiment.seed}-shards`,
    shards,
    members,
    run,
    policies,
    model,
    backend,
    time,
    cpus,
    memory,
    image,
  };
}

/** Name after the preset, and after the command, so that jobs of one preset do not take each other's place. */
function jobName(preset: string, command: readonly string[]): string {
  const start = `unmask-${preset}`
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 40)
    .replace(/-+$/, '');
  return `${start}-${createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 8)}`;
}
