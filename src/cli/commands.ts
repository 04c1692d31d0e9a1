/** Commands of the line, with their options, and the help on them. */
import { LAB_LICENCE } from '../foundation/licence';
import { BASE } from './linkCommand';

export const HELP = `Usage: npm run -s lab -- <command>

  run <preset | file.json | link>   trains an experiment (file.json: of an experiment or a result)
      --updates N                   instead of the experiment's
      --seeds 0-3 | 0,2             seeds to train, any numbers, such as 100-103 (default: all of the experiment's, from 0)
      --shard i/n                   trains the i-th of n shares of the members, the same numbers as in the whole run; lab
                                    merge puts them together (docs/scale.md)
      --arms id,id                  arms to train (default: all)
      --set path=value              changes one setting, as in links; may be repeated
      --loss arm=FILE               a formula as the arm's policy loss; arm:predict=FILE in place of its prediction loss,
                                    arm:added=FILE beside them (docs/formulas.md); may be repeated
      --world FILE                  a world of one's own instead of the experiment's, or beside those of a mixture
                                    (docs/worlds.md); its settings are --set environment.KEY=value
      --environment openenv:URL     a world that another program serves by OpenEnv's protocol (docs/scale.md)
      --sweep path=value,value,…    one arm (named with --arms) once for each value of a number of its own, all trained together;
                                    of anything else (batch.groupSize, policy.width, environment.size, arms.*.learningRate), or
                                    path=…;path=… for all combinations: a run for each, one after the other, into --out,
                                    with a table and a picture; --resume goes on (docs/sweeps.md)
      --backend auto|webgpu|cpu|cpu-fused|reference
                                    cpu-fused: with fused multiply-add, faster, other last digits
      --workers N                   threads of the CPU backend; changes no number (default: one a core, nearly)
      --policy FILE.onnx            a file that arms name by its SHA-256 (startPolicy, referencePolicy, fixedPolicy) and
                                    that does not come with the lab; may be repeated
      --out DIR                     writes result.json and checkpoint.safetensors; refused where a run is already
      --force                       … which this one replaces
      --probe N                     after every N updates, what linear probes read off the policies
      --trajectories FILE.jsonl     writes what the last update learned from (docs/trajectories.md)
      --tensorboard DIR             writes the metrics as TensorBoard's event files while it trains, in DIR/<preset>/<arm>/<seed>
      --json                        prints the result as one JSON object
      --csv                         prints its curves as CSV: a row for each arm, seed and update
  run --resume DIR                  continues the run left in DIR, on the backend it began on, as the experiment it is;
                                    takes --updates (not below what is finished), --workers, --policy, --out, --force, --probe,
                                    --trajectories, --tensorboard, --json, --csv, and --world FILE where its world had to be mended
      --roll-back                   … from its last state before it diverged, with a lower learning rate, into --out
      --other-numerics              … although this version computes other bits than the one that began it
  merge DIR …                       the shards of a run, or of a sweep, as one, equal bit for bit to it on one machine
      --out DIR                     where to write it, as run does; left out of DIR … if it is there
      --mixed                       also of different backends, adapters or numerics; the result says who trained what
      --force, --json, --csv        as for run
  submit slurm | kubernetes | parallel  <preset | file.json | link>
                                    prints a job that trains a run in shards and merges them (docs/scale.md)
      --shards N                    their number
      --out DIR                     folder for all of them, on a disk that the machines share
      --cpus N                      for each shard (default: 2)
      --memory 4G, --time H:MM:SS   … (default: 4G; slurm and kubernetes), (default: 2:00:00; slurm)
      --image NAME                  container image of the lab (kubernetes)
      --backend cpu|cpu-fused|webgpu
                                    the same for all (default: cpu)
      --updates, --seeds, --arms, --set, --loss, --world, --sweep, --policy
                                    as for run
      --json                        the job, and the members of each shard, as one JSON object
  serve <environment | preset | file.json | link>, or serve --world FILE
                                    a world for trainers of language models, by OpenEnv's protocol (docs/scale.md)
      --set path=value              changes a setting of the world, such as size=4; may be repeated
      --port N, --host ADDRESS      (default: 8000, 127.0.0.1)
      --allow-host NAME             that clients on other machines ask for; may be repeated
      --origin URL                  of a page that may play, such as http://localhost:3000; no other page may; may be repeated
      --sessions N                  at once (default: 64)
      --idle SECONDS                after which a silent session loses its place (default: 3600)
      --json                        prints the address as one JSON object
  scale <preset | file.json | link> an arm as a folder for a trainer of language models: configuration, losses as PyTorch, the world
                                    as a server, and a README with the commands (docs/scale.md)
      --to verl|rllm|skyrl|prime-rl|trl
      --arm ID                      which one
      --out DIR, --force            where to write it; --force replaces files there
      --set, --loss, --world, --json
                                    as for run
  bench train | rollout | kernels | environments | population | latency
      --backend auto|webgpu|cpu|cpu-fused
                                    what to measure
      --workers N                   threads of the CPU backend (population only)
      --latency 0,2,5,10            milliseconds by which readbacks are late (latency only)
      --cohorts 1,2,4               parts in which batches are played (latency only)
      --quick                       small sizes, in seconds; the numbers mean little
      --json
  check FILE.json …                 recomputes what other projects' code gave (docs/fixtures.md); 1 if a case differs
      --backend auto|webgpu|cpu|cpu-fused|reference
      --json
  export DIR --out FILE             writes what the file's ending says, of the run in DIR, finished or as last saved (docs/results.md):
                                    .csv, .parquet: its curves, a row for each arm, seed and update; .svg: a chart;
                                    .onnx, .safetensors: a policy (docs/onnx.md)
      --metric NAME                 of the chart (default: successRate)
      --member arm/seed             of the policy, such as world-model/0
      --cache                       with a key-value cache as inputs and outputs (.onnx)
      --licence TEXT                of the policy, an SPDX expression (default: ${LAB_LICENCE})
      --json
  eval FILE.onnx                    lets such a policy play, on onnxruntime-web
      --environment ID              another environment than the one it was trained in
      --set path=value              changes environment.… or seed; may be repeated
      --episodes N                  of held-out and of training tasks each (default: 64)
      --json
  loss FILE                         what a formula reads, shows and costs (docs/formulas.md); a mistake has its line and column
      --to torch|verl|skyrl|prime-rl|trl|wgsl
                                    the same as PyTorch: a plain function, or the loss of that project; or its kernels
      --json
  batch FILE …                      a batch of a trainer of language models (verl, TRL, verifiers, OpenEnv, messages): its tokens and
                                    weights by role, and what is wrong with its masks and numbers (docs/batch.md)
      --fail-on RULE,…              1 if one of these rules finds something, or lacks what it needs to look; all: any of them
      --what-if NAME,…              the same batch under these objectives, or formulas in files (mine.loss); all: every objective
      --tokenizer tokenizer.json    the model's own: texts of tokens whose ids alone are there, tokens of texts
      --template FILE               tokenizer_config.json or a chat template: whether it writes what stands around the turns
      --markdown, --json
  world FILE                        is a world of one's own well made, and who wins in it (docs/worlds.md); 1 if a check fails
      --set key=value               of its settings; may be repeated
      --episodes N                  of a random policy (default: 1000)
      --json
  list [--json]                     presets, environments, objectives
  link <preset | file.json | link>  prints a link to the experiment
      --set path=value, --loss, --world, --arms, --sweep
                                    as for run; the sweep is a part of the link
      --base URL                    where the lab is (default: ${BASE})
  --version                         version, commit, and the numerics number of each backend (docs/glossary.md)

A run is saved after two seconds, then twice as long after that, and so on up to every minute, in DIR or else in the next
free lab-runs/<preset>-<seed> (UNMASK_RUNS=FOLDER: there instead of lab-runs), and is kept there: one that was cut off, even hard,
goes on from there with --resume. Ctrl-C (SIGTERM, or a terminal that closes) stops after the update in flight and saves first.
A folder is written to by one run at a time. Results go to stdout; all else, such as where a run is kept, to stderr.

Exit codes: 0 done; 1 the run failed, or what came of it could not be kept or printed; 2 the command, an option or a file named is not valid, and nothing was trained;
3 done, but the gradient of a policy is not finite, so that it trains no more; 130 interrupted.
`;

/** These names, each an option of this kind. */
const each = <const N extends string, const T>(option: T, ...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, option])) as Readonly<Record<N, T>>;

export const OPTIONS = {
  ...each({ type: 'string' }, 'updates', 'seeds', 'shard', 'port', 'host', 'sessions', 'idle', 'shards', 'time'),
  ...each({ type: 'string' }, 'cpus', 'memory', 'image', 'arm', 'arms', 'world', 'sweep', 'backend', 'workers'),
  ...each({ type: 'string' }, 'out', 'resume', 'probe', 'tensorboard', 'cohorts', 'latency', 'base', 'member'),
  ...each({ type: 'string' }, 'trajectories', 'licence', 'environment', 'episodes', 'to', 'fail-on', 'what-if'),
  ...each({ type: 'string' }, 'tokenizer', 'template', 'metric'),
  ...each({ type: 'string', multiple: true }, 'allow-host', 'origin', 'set', 'loss', 'policy'),
  ...each({ type: 'boolean' }, 'mixed', 'force', 'roll-back', 'csv', 'other-numerics'),
  ...each({ type: 'boolean', default: false }, 'quick', 'json', 'cache', 'markdown'),
  version: { type: 'boolean', short: 'v', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export type Option = keyof typeof OPTIONS;

export const SEE_HELP = 'See npm run -s lab -- --help.';

/** Options of what is trained and where: those that a run takes, and a job of runs. */
const TRAINED = [
  ...(['updates', 'seeds', 'arms', 'set', 'loss', 'world', 'sweep', 'policy'] as const),
  ...(['backend', 'out', 'json'] as const),
];

/** Largest number of subjects that each command takes, and its options. */
export const COMMANDS: Readonly<Record<string, { subjects: number; options: readonly Option[] }>> = {
  run: {
    subjects: 1,
    options: [
      ...TRAINED,
      ...(['shard', 'environment', 'workers', 'resume', 'force', 'roll-back', 'probe', 'trajectories'] as const),
      ...(['other-numerics', 'csv', 'tensorboard'] as const),
    ],
  },
  submit: {
    subjects: 2,
    options: [...TRAINED, ...(['shards', 'time', 'cpus', 'memory', 'image'] as const)],
  },
  merge: { subjects: Number.POSITIVE_INFINITY, options: ['out', 'mixed', 'force', 'json', 'csv'] },
  serve: {
    subjects: 1,
    options: ['set', 'world', 'port', 'host', 'allow-host', 'origin', 'sessions', 'idle', 'json'],
  },
  scale: { subjects: 1, options: ['to', 'arm', 'out', 'force', 'set', 'loss', 'world', 'json'] },
  check: { subjects: Number.POSITIVE_INFINITY, options: ['backend', 'json'] },
  bench: { subjects: 1, options: ['backend', 'workers', 'cohorts', 'latency', 'quick', 'json'] },
  export: { subjects: 1, options: ['member', 'out', 'cache', 'licence', 'metric', 'json'] },
  eval: { subjects: 1, options: ['environment', 'set', 'episodes', 'json'] },
  loss: { subjects: 1, options: ['to', 'json'] },
  batch: {
    subjects: Number.POSITIVE_INFINITY,
    options: ['fail-on', 'what-if', 'tokenizer', 'template', 'markdown', 'json'],
  },
  world: { subjects: 1, options: ['set', 'episodes', 'json'] },
  list: { subjects: 0, options: ['json'] },
  link: { subjects: 1, options: ['set', 'loss', 'world', 'arms', 'sweep', 'base'] },
};

/** The lines of the help that are about a command. */
export function helpOn(command: string): string {
  const parts = HELP.split(/^(?= {2}\S)/m).filter((part) => part.startsWith(`  ${command} `));
  return `Usage: npm run -s lab -- <command> (all commands: npm run -s lab -- --help)\n\n${parts.join('')}`;
}
