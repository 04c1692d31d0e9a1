/**
 * `npm run -s lab -- …`: the engine without a page. Reads the arguments, calls the command, turns errors into one line
 * and an exit code. stdout carries results only; progress and messages go to stderr.
 */
import { parseArgs } from 'node:util';
import { encodeLink } from '../experiment/link';
import { asLabError, LabError } from '../foundation/errors';
import { benchCommand } from './bench';
import { readExperiment } from './experimentArgument';
import { listCommand } from './list';
import { isPoolThread, servePoolThread } from './poolThread';
import { runCommand } from './run';

const HELP = `Usage: npm run -s lab -- <command>

  run <preset | file.json | link>   trains an experiment
      --updates N                   instead of the experiment's
      --seeds 0-3 | 0,2             seeds to train (default: all of the experiment's)
      --arms id,id                  arms to train (default: all)
      --set path=value              changes one setting, as in links; may be repeated
      --backend auto|webgpu|cpu|reference
      --workers N                   threads of the CPU backend; changes no number (default: one a core, nearly)
      --out DIR                     writes result.json and checkpoint.safetensors
      --resume DIR                  continues the run left in DIR
      --json                        prints the result as one JSON object
  bench train | rollout | kernels | environments | population
      --backend auto|webgpu|cpu     what to measure
      --workers N                   threads of the CPU backend (population only)
      --quick                       small sizes, in seconds; the numbers mean little
      --json
  list [--json]                     presets, environments, objectives
  link <preset | file.json> [--set path=value]…   prints the link's fragment

Ctrl-C stops after the update in flight and leaves a run that --resume continues.
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      updates: { type: 'string' },
      seeds: { type: 'string' },
      arms: { type: 'string' },
      set: { type: 'string', multiple: true },
      backend: { type: 'string', default: 'auto' },
      workers: { type: 'string' },
      out: { type: 'string' },
      resume: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command, subject] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(HELP);
    return command === undefined && !values.help ? 2 : 0;
  }
  switch (command) {
    case 'run':
      return runCommand(subject, values);
    case 'bench':
      return benchCommand(subject, values);
    case 'list':
      listCommand(values.json);
      return 0;
    case 'link':
      process.stdout.write(`#${encodeLink(await readExperiment(subject, values.set ?? []))}\n`);
      return 0;
    default:
      throw new LabError('unsupported', `There is no command “${command}”.`, 'See npm run -s lab -- --help.');
  }
}

/** Prints what went wrong and returns the exit code. */
function explain(cause: unknown): number {
  const usage = cause instanceof TypeError && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(usage ? `${cause.message}\n` : `${asLabError(cause).message}\n`);
  if (process.env.UNMASK_TRACE === '1') console.error(cause);
  return usage ? 2 : 1;
}

if (isPoolThread()) servePoolThread();
else process.exitCode = await main().catch(explain);
