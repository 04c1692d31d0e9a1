/**
 * Commands of the line, with their options: the help is where both are declared. A command is its name and what it takes, a
 * line on what it does, and its options; those below `more` are shown with --all. An option with a word behind it has a
 * value, of which there may be several where its text says “may be repeated”.
 */
import type { ParseArgsConfig } from 'node:util';
import { LAB_LICENCE } from '../foundation/licence';

/** Address at which `npm start` serves the lab, unless the port is taken. */
export const BASE = 'http://localhost:4173/';

declare global {
  /** Set by scripts/lab.mjs, where the lab is an installed command. */
  var unmaskCommand: string | undefined;
}

export const LAB = globalThis.unmaskCommand ?? 'npm run -s lab --';
export const SEE_HELP = `See ${LAB} --help.`;

const TEXTS = `
run EXPERIMENT
trains an experiment: a preset, a file.json of an experiment or a result, or a link
  --updates N             instead of the experiment's
  --seeds 0-3 | 0,2       seeds to train, any numbers, such as 100-103 (default: all, from 0)
  --arms id,id            arms to train (default: all)
  --set path=value        changes one setting, as in links; may be repeated
  --loss arm=FILE         a formula as the arm's policy loss; arm:predict=FILE in place of its
                          prediction loss, arm:added=FILE beside them; may be repeated
  --world FILE            a world that you wrote instead of the experiment's (docs/worlds.md);
                          its settings are --set environment.KEY=value
  --model DIR             a folder with a language model that the policies begin from, in a world
                          of texts (docs/llama.md)
  --sweep path=value,…    one arm (named with --arms) once for each value; path=…;path=… for
                          all combinations, into --out (docs/sweeps.md)
  --backend auto|webgpu|cpu|cpu-fused|reference
                          auto: GPU or CPU, by an update of each before the run;
                          cpu-fused: fused multiply-add, faster, other last digits
  --out DIR               writes result.json and checkpoint.safetensors there
  --force                 … in place of a run that is there
  --resume DIR            goes on with the run left in DIR, as the experiment it is
  --tensorboard DIR       TensorBoard's event files, in DIR/<preset>/<arm>/<seed>
  --json                  prints the result as one JSON object
  --csv                   prints its curves: a row for each arm, seed and update
more
  --shard i/n             trains the i-th of n shares of the members, the same numbers as in the
                          whole run; lab merge puts them together (docs/scale.md)
  --environment openenv:URL
                          a world that another program serves by OpenEnv's protocol
  --workers N             threads of the CPU backend; changes no number (default: nearly one a core)
  --policy FILE.onnx      a file that arms name by its SHA-256 (startPolicy, referencePolicy,
                          fixedPolicy), if it does not come with the lab; may be repeated
  --probe N               after every N updates, what linear probes read off the policies
  --trajectories FILE.jsonl
                          what the last update learned from (docs/trajectories.md)
  --roll-back             with --resume: from its last state before it diverged, with a lower
                          learning rate, into --out
  --other-numerics        with --resume: though this version computes other bits than the one
                          that began it

  A sweep trains the values of an arm's number all together, and anything else (batch.groupSize,
  policy.width, environment.size, arms.*.learningRate) as a run for each value, one after the
  other, with a table and a picture. A mixture gets the world of --world beside its own. What a
  formula may say is in docs/formulas.md.
  A run that is resumed keeps its backend. It takes --updates (not below what is finished), --workers,
  also --policy, --model, --out, --force, --probe, --trajectories, --tensorboard, --json and --csv,
  and --world where its world had to be mended.

merge DIR …
puts the shards of a run, or of a sweep, together, equal bit for bit to it on one machine
  --out DIR               where to write it; left out of DIR … if it is there
  --mixed                 also of different backends, adapters or numerics; the result says who
                          trained what
  --model DIR             the folder with the model that they began from, if it is your own
  --force, --json, --csv  as for run

submit slurm|kubernetes|parallel EXPERIMENT
prints a job that trains a run in shards and merges them (docs/scale.md)
  --shards N              their number
  --out DIR               folder for all of them, on a disk that the machines share
  --cpus N                for each shard (default: 2)
  --memory 4G, --time H:MM:SS
                          … (default: 4G; slurm and kubernetes), (default: 2:00:00; slurm)
  --image NAME            container image of the lab (kubernetes)
  --backend cpu|cpu-fused|webgpu
                          the same for all (default: cpu)
  --updates, --seeds, --arms, --set, --loss, --world, --sweep, --policy, --model
                          as for run; --model not on kubernetes
  --json                  the job, and the members of each shard, as one JSON object

export DIR
writes curves or a policy of a run, finished or as last saved, as the file's ending says
  --out FILE              .csv, .parquet: curves, a row for each arm, seed and update; .svg: a
                          chart; .onnx, .safetensors: a policy (docs/results.md, docs/onnx.md)
  --out DIR               a policy that began from a language model, as Hugging Face's programs
                          read it (docs/llama.md)
  --metric NAME           of the chart (default: successRate)
  --member arm/seed       of the policy, such as world-model/0
  --model DIR             the folder with the model that the run began from, if it is your own
  --merge                 adds an adapter to the weights: a whole model as the folder
  --cache                 with a key-value cache as inputs and outputs (.onnx)
  --licence TEXT          of the policy, an SPDX expression (default: ${LAB_LICENCE})
  --json

chat MODEL
talks to a language model: stories260k, a folder of Hugging Face's, or a member of a run
  --member arm/seed       of the run whose folder MODEL is
  --model DIR             the folder that the run began from, if it is your own
  --adapter DIR           PEFT's, on a model
  --temperature T         what logits are divided by; 0: always the likeliest token (default: 1,
                          or as the member trained)
  --top-p P               draws from the likeliest tokens that have this probability together
                          (default: 1, from all)
  --max-tokens N          of a reply (default: 256, or as in the member's world)
  --stop TEXT             ends a reply; may be repeated
  --seed N                of the draws (default: 0)
  --plain                 lets the text go on, though the model has a chat template
  --json                  prints each reply as one JSON object

  A line is a turn, typed or piped: a message of a model with a chat template, else what its text
  goes on from. A reply ends with a token that ends texts, and at Ctrl-C (docs/llama.md).

tune MODEL
fine-tunes a language model on texts: stories260k, or a folder of Hugging Face's
  --on FILE               texts: FILE.txt, documents between lines of <|endoftext|>; FILE.jsonl,
                          lines of {"text"}, {"prompt", "completion"} or {"messages"}; prompt and
                          completion are texts, or lists of messages
  --out DIR               folder of the tuned model; with --rank of a PEFT adapter
  --updates N             steps of AdamW (default: 100)
  --batch N, --length N   pieces of text in a step, and tokens of a piece (default: 8, 128)
  --learning-rate R       (default: 0.0003)
  --rank R, --alpha A     trains a low-rank adapter in place of all weights (alpha: 16)
  --merge                 … and adds it to the weights: a whole model
  --held-out S            share of the pieces that only examine it, in whole documents
                          (default: 0.1)
  --seed N                of their order and of the adapter (default: 0)
  --json                  prints the result as one JSON object

eval FILE.onnx
lets the policy of a file play, on onnxruntime-web
  --environment ID        another environment than the one it was trained in
  --set path=value        changes environment.… or seed; may be repeated
  --episodes N            of held-out and of training tasks each (default: 64)
  --model DIR             the folder with the model that it began from, if it is your own
  --json

world FILE
tells whether a world that you wrote is well made, and who wins in it (docs/worlds.md)
  --set key=value         of its settings; may be repeated
  --episodes N            of a random policy (default: 1000)
  --model DIR             a folder with the model in whose pieces a world of texts is
  --json                  … Exit code 1 if a check fails

loss FILE
tells what a formula reads, shows and costs, or where its mistake is (docs/formulas.md)
  --to torch|verl|skyrl|prime-rl|trl|wgsl
                          the same as PyTorch: a plain function, or the loss of that project; or
                          its kernels
  --json

batch FILE …
audits a batch of a trainer of language models: tokens, weights, masks (docs/batch.md)
  --fail-on RULE,…        1 if one of these rules finds something, or lacks what it needs to
                          look; all: any of them
  --what-if NAME,…        the same batch under these objectives, or formulas in files (mine.loss);
                          all: every objective
  --tokenizer tokenizer.json
                          the model's own: texts of tokens whose ids alone are there, tokens of
                          texts
  --template FILE         tokenizer_config.json or a chat template: whether it writes what stands
                          around the turns
  --markdown, --json

scale EXPERIMENT
writes an arm as a folder for a trainer of language models (docs/scale.md)
  --to verl|rllm|skyrl|prime-rl|trl
  --arm ID                which one
  --out DIR, --force      where to write it; --force replaces files there
  --set, --loss, --world, --json
                          as for run

serve WORLD
serves a world for trainers of language models, by OpenEnv's protocol (docs/scale.md)
  --world FILE            a world that you wrote; else WORLD is the id of an environment, or an
                          experiment, as run takes it
  --set path=value        changes a setting of the world, such as size=4; may be repeated
  --port N, --host ADDRESS
                          (default: 8000, 127.0.0.1)
  --allow-host NAME       that clients on other machines ask for; may be repeated
  --origin URL            of a page that may play, such as http://localhost:3000; no other page
                          may; may be repeated
  --sessions N            at once (default: 64)
  --idle SECONDS          after which a silent session loses its place (default: 3600)
  --json                  prints the address as one JSON object

check FILE.json …
recomputes what other projects' code gave (docs/fixtures.md); 1 if a case differs
  --backend auto|webgpu|cpu|cpu-fused|reference
  --json

bench train|rollout|kernels|environments|population|latency|machine
measures the speed of this machine; machine: GPU and CPU, what to send (docs/machines.md)
  --backend auto|webgpu|cpu|cpu-fused
                          what to measure
  --workers N             threads of the CPU backend (population only)
  --latency 0,2,5,10      milliseconds by which readbacks are late (latency only)
  --cohorts 1,2,4         parts in which batches are played (latency only)
  --quick                 small sizes, in seconds; the numbers mean little
  --json

list
prints presets, environments, objectives, and the built-in losses as formulas
  --json

link EXPERIMENT
prints a link to the experiment
  --set path=value, --loss, --world, --arms, --sweep
                          as for run; the sweep is a part of the link
  --base URL              where the lab is (default: ${BASE})
`;

const END = `Options of a command: ${LAB} <command> --help; of all: ${LAB} --help --all

A run is saved after two seconds, then ever less often up to every minute, in --out or else the
next free lab-runs/<preset>-<seed> (UNMASK_RUNS=FOLDER: there instead). One that was cut off, even
hard, goes on with --resume. Ctrl-C (SIGTERM, a terminal that closes) stops after the update in
flight and saves first. Results go to stdout, all else to stderr.

Exit codes: 0 done; 1 the run failed, or what came of it could not be kept or printed; 2 what was
asked is not valid, and nothing was trained; 3 done, but the gradient of a policy is not finite,
so that it trains no more; 130 interrupted.
`;

interface Command {
  readonly takes: string;
  readonly does: string;
  /** Lines on its options: those shown, and those shown with --all. */
  readonly lines: readonly string[];
  readonly options: readonly string[];
  /** Largest number of subjects. */
  readonly subjects: number;
}

/** Options of a text, which may share a line. */
function declared(text: string) {
  return text.split(/^(?= {2}--)/m).flatMap((entry) => {
    const [, names = ''] = /^ {2}(--.+?)(?: {2}.*)?$/m.exec(entry) ?? [];
    const isMany = entry.includes('may be repeated');
    return names.split(', ').flatMap((one) => {
      const [, name, value] = /^--([\w-]+)( .+)?$/.exec(one) ?? [];
      return name === undefined ? [] : [{ name, hasValue: value !== undefined, isMany }];
    });
  });
}

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  TEXTS.trim()
    .split(/\n\n(?=\w)/)
    .map((text) => {
      const [, name = '', takes = '', does = '', rest = ''] = /^(\w+) ?([^\n]*)\n([^\n]*)\n(.*)$/s.exec(text) ?? [];
      const words = takes === '' ? 0 : takes.split(' ').length;
      const options = declared(text).map((one) => one.name);
      const subjects = takes.endsWith('…') ? Number.POSITIVE_INFINITY : words;
      return [name, { takes, does, lines: rest.split('\nmore\n'), options, subjects }];
    }),
);

/** Options as node:util reads them. */
export const OPTIONS: NonNullable<ParseArgsConfig['options']> = {
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
  all: { type: 'boolean' },
};
for (const { name, hasValue, isMany } of declared(TEXTS)) {
  const known = OPTIONS[name];
  if (hasValue) OPTIONS[name] = { type: 'string', multiple: isMany || known?.multiple === true };
  else OPTIONS[name] = known ?? { type: 'boolean', default: false };
}

/** Help on a command, or on all where none is named. */
export function helpOn(name: string | undefined, isWhole: boolean): string {
  const command = COMMANDS.get(name ?? '');
  if (command !== undefined) {
    const { takes, does, lines } = command;
    const hint = lines.length > 1 ? `\n\nMore options: ${LAB} ${name} --help --all` : '';
    return `Usage: ${LAB} ${name} ${takes}\n${does}\n\n${isWhole ? lines.join('\n') : lines[0] + hint}\n`;
  }
  const names = [...COMMANDS.keys()];
  if (isWhole) return `${names.map((one) => helpOn(one, true)).join('\n')}\n${END}`;
  const list = names.map((one) => `  ${one.padEnd(8)} ${COMMANDS.get(one)?.does}\n`);
  return `Usage: ${LAB} <command>\n\n${list.join('')}\n${END}`;
}
