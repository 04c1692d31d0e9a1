/**
 * `npm run -s lab -- …`: the engine without a page. Reads the arguments, calls the command, turns errors into one line
 * and an exit code. stdout carries results only; progress and messages go to stderr.
 */
import { parseArgs } from 'node:util';
import { versionInWords } from '../experiment/provenance';
import { LabError } from '../foundation/errors';
import { batchCommand } from './batch/batch';
import { COMMANDS, HELP, helpOn, OPTIONS, type Option, SEE_HELP } from './commands';
import { advise, asRunError, usage } from './errors';
import { linkCommand } from './linkCommand';
import { listCommand } from './list';
import { lossCommand } from './loss/loss';
import { benchCommand } from './machine/bench';
import { checkCommand } from './machine/check';
import { isPoolThread, servePoolThread } from './machine/poolThread';
import { closeOpenEnv, openOpenEnv } from './openenv/server';
import { isOpenEnvThread, serveOpenEnvThread } from './openenv/thread';
import { flushed, openOutput, print } from './output';
import { evalCommand } from './policy/evaluate';
import { exportCommand } from './policy/export';
import { runCommand } from './run/run';
import { planRun } from './run/runArguments';
import { takeFolder } from './run/takeFolder';
import { scaleCommand } from './scale';
import { serveCommand } from './serve/serve';
import { mergeCommand } from './shards/merge';
import { submitCommand } from './submit/submit';
import { planSweep } from './sweep/plan';
import { sweepCommand } from './sweep/run';
import { worldCommand } from './world/world';

/** Function that carries out the arguments and gives the exit code. Throws if the arguments are not valid. */
async function understand(): Promise<() => number | Promise<number>> {
  const { values, positionals, tokens } = parseArgs({ allowPositionals: true, options: OPTIONS, tokens: true });
  const [command, subject] = positionals;
  if (values.version && command === undefined) return () => printed(`Unmask ${versionInWords()}\n`, 0);
  if (command === undefined) return () => printed(HELP, values.help ? 0 : 2);
  const takes = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (takes === undefined) {
    throw usage(`There is no command “${command}”.`, advise(command, Object.keys(COMMANDS), SEE_HELP));
  }
  if (values.help) return () => printed(helpOn(command), 0);
  const surplus = positionals[1 + takes.subjects];
  if (surplus !== undefined) throw refusal(`${command} was given “${surplus}” besides all it takes.`);
  for (const token of tokens) {
    if (token.kind === 'option' && !takes.options.includes(token.name as Option)) {
      throw refusal(`${command} takes no ${token.rawName}.`);
    }
    if (token.kind === 'option' && token.value === '') {
      throw usage(`${token.rawName} is empty.`, `Write its value behind it, or leave ${token.rawName} out.`);
    }
  }
  if (values.json && values.csv) throw refusal('--json and --csv are two forms of one result.');
  if (command === 'run') {
    const sweep = await planSweep(subject, values);
    if (sweep !== null) return () => sweepCommand(sweep);
    const plan = await planRun(subject, values);
    const folder = await takeFolder(plan);
    return () => runCommand(plan, folder);
  }
  if (command === 'submit') return submitCommand(positionals.slice(1), values);
  if (command === 'merge') return mergeCommand(positionals.slice(1), values);
  if (command === 'serve') return serveCommand(subject, values);
  if (command === 'scale') return scaleCommand(subject, values);
  if (command === 'check') return checkCommand(positionals.slice(1), values);
  if (command === 'bench') return benchCommand(subject, values);
  if (command === 'export') return exportCommand(subject, values);
  if (command === 'eval') return evalCommand(subject, values);
  if (command === 'batch') return batchCommand(positionals.slice(1), values);
  if (command === 'world') return worldCommand(subject, values);
  if (command === 'loss') {
    const text = await lossCommand(subject, values);
    return () => printed(text, 0);
  }
  if (command === 'link') return linkCommand(subject, values);
  return () => {
    listCommand(values.json);
    return 0;
  };
}

const refusal = (what: string): LabError => usage(what, SEE_HELP);

function printed(text: string, exitCode: number): number {
  print(text);
  return exitCode;
}

/** A LabError for a mistake that parseArgs found; any other error unchanged. */
function asUsage(cause: unknown): unknown {
  const isOfArguments =
    cause instanceof TypeError && String((cause as NodeJS.ErrnoException).code).startsWith('ERR_PARSE');
  if (!isOfArguments) return cause;
  const [, typed] = /^Unknown option '(.+?)'/.exec(cause.message) ?? [];
  if (typed === undefined) return usage(cause.message.replaceAll('\n', ' ').replace(/\.?$/, '.'), SEE_HELP);
  const [command = ''] = process.argv.slice(2);
  const taken = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]?.options : undefined;
  const known = (taken ?? Object.keys(OPTIONS)).map((name) => `--${name}`);
  return usage(`There is no option ${typed}.`, advise(typed, known, SEE_HELP), { cause });
}

/** Prints an error as one line. Returns `exitCode`, or 1 for a fault of the lab itself. */
function explain(cause: unknown, exitCode: number): number {
  process.stderr.write(`${asRunError(cause).message}\n`);
  if (process.env.UNMASK_TRACE === '1') console.error(cause);
  return cause instanceof LabError ? exitCode : 1;
}

async function main(): Promise<number> {
  openOutput();
  openOpenEnv(new URL(import.meta.url));
  let action: () => number | Promise<number>;
  try {
    action = await understand();
  } catch (cause) {
    return explain(asUsage(cause), 2);
  }
  try {
    const exitCode = await action();
    await flushed();
    return exitCode;
  } catch (cause) {
    return explain(cause, 1);
  } finally {
    await closeOpenEnv();
  }
}

if (isPoolThread()) servePoolThread();
else if (isOpenEnvThread()) serveOpenEnvThread();
else process.exitCode = await main();
