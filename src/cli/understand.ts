/**
 * A command from its arguments: checked, and with the function that carries it out. Mistakes are LabErrors, before anything is done.
 */
import { parseArgs } from 'node:util';
import { COMMANDS, helpOn, LAB, OPTIONS, SEE_HELP } from './commands';
import { advise, asRunError, usage } from './errors';
import { print, styled } from './output';

type Action = () => number | Promise<number>;

/**
 * Commands: each checks its arguments and gives what carries them out. Its code is loaded when it is called, because most of the
 * lab is of no use to most commands. Options have the type that the command reads them as.
 */
const BEGIN: Readonly<Record<string, (subjects: readonly string[], given: never) => Promise<Action>>> = {
  run: async ([subject], given) => (await import('./sweep/begin')).beginRun(subject, given),
  submit: async (subjects, given) => (await import('./submit/submit')).submitCommand(subjects, given),
  merge: async (subjects, given) => (await import('./shards/merge')).mergeCommand(subjects, given),
  serve: async ([subject], given) => (await import('./serve/serve')).serveCommand(subject, given),
  scale: async ([subject], given) => (await import('./scale')).scaleCommand(subject, given),
  check: async (subjects, given) => (await import('./machine/check')).checkCommand(subjects, given),
  bench: async ([subject], given) => (await import('./machine/bench')).benchCommand(subject, given),
  export: async ([subject], given) => (await import('./policy/export')).exportCommand(subject, given),
  chat: async ([subject], given) => (await import('./model/chat')).chatCommand(subject, given),
  tune: async ([subject], given) => (await import('./model/tune')).tuneCommand(subject, given),
  eval: async ([subject], given) => (await import('./policy/evaluate')).evalCommand(subject, given),
  batch: async (subjects, given) => (await import('./batch/batch')).batchCommand(subjects, given),
  world: async ([subject], given) => (await import('./world/world')).worldCommand(subject, given),
  loss: async ([subject], given) => {
    const text = await (await import('./loss/loss')).lossCommand(subject, given);
    return () => printText(text, 0);
  },
  list: async (_, given) => (await import('./list')).listCommand(given),
  link: async ([subject], given) => (await import('./linkCommand')).linkCommand(subject, given),
};

/** Function that carries out the arguments and gives the exit code. `entry`: module that threads and servers begin with. */
export async function understand(args: string[], entry: URL): Promise<Action> {
  try {
    return await actionOf(args, entry);
  } catch (cause) {
    throw asUsage(cause, args);
  }
}

async function actionOf(args: string[], entry: URL): Promise<Action> {
  const { values, positionals, tokens } = parseArgs({ args, allowPositionals: true, options: OPTIONS, tokens: true });
  const [command, ...subjects] = positionals;
  if (values.version && command === undefined) {
    const { versionInWords } = await import('../experiment/provenance');
    return () => printText(`Unmask ${versionInWords()}\n`, 0);
  }
  const help = (name?: string): string =>
    helpOn(name, values.all === true).replaceAll(/^(?:Usage| {2}(?:--[\w-]+|\w+(?= {2})))/gm, (word) =>
      styled('bold', word, process.stdout),
    );
  if (command === undefined) return () => printText(help(), values.help ? 0 : 2);
  const takes = COMMANDS.get(command);
  if (takes === undefined) throw usage(`There is no command “${command}”.`, advise(command, COMMANDS.keys(), SEE_HELP));
  if (values.help) return () => printText(help(command), 0);
  const surplus = subjects[takes.subjects];
  if (surplus !== undefined) throw usage(`${command} was given “${surplus}” besides all it takes.`, seeHelp(command));
  for (const token of tokens) {
    if (token.kind === 'option' && !takes.options.includes(token.name)) {
      throw usage(`${command} takes no ${token.rawName}.`, seeHelp(command));
    }
    if (token.kind === 'option' && token.value === '') {
      throw usage(`${token.rawName} is empty.`, `Write its value behind it, or leave ${token.rawName} out.`);
    }
  }
  if (values.json && values.csv) throw usage('--json and --csv are two forms of one result.', 'Leave one of them out.');
  const { openOpenEnv, closeOpenEnv } = await import('./openenv/server');
  openOpenEnv(entry);
  const { version: _, help: __, all: ___, ...options } = values;
  const action = await (BEGIN[command] as (typeof BEGIN)[string])(subjects, options as never);
  return async () => {
    try {
      return await action();
    } finally {
      await closeOpenEnv();
    }
  };
}

/** Pointer to a command's options, or to the list of commands where there is none of this name. */
const seeHelp = (command: string): string => (COMMANDS.has(command) ? `See ${LAB} ${command} --help.` : SEE_HELP);

function printText(text: string, exitCode: number): number {
  print(text);
  return exitCode;
}

/** A LabError for a mistake that parseArgs found; any other error unchanged. */
function asUsage(cause: unknown, [command = '']: readonly string[]): unknown {
  const isOfArguments =
    cause instanceof TypeError && String((cause as NodeJS.ErrnoException).code).startsWith('ERR_PARSE');
  if (!isOfArguments) return cause;
  const [, typed] = /^Unknown option '(.+?)'/.exec(cause.message) ?? [];
  const see = seeHelp(command);
  if (typed === undefined) return usage(cause.message.replaceAll('\n', ' ').replace(/\.?$/, '.'), see);
  const known = (COMMANDS.get(command)?.options ?? Object.keys(OPTIONS)).map((name) => `--${name}`);
  return usage(`There is no option ${typed}.`, advise(typed, known, see), { cause });
}

/** An error as one line. */
export function lineOf(cause: unknown): string {
  const { what, advice } = asRunError(cause);
  return `${styled('red', what)} ${advice}\n`;
}
