/** `lab world FILE`: the checks of a world, the success of its players, and its speed. */
import { checkWorld, type WorldReport } from '../../environments/own/examine/check';
import { openWorlds } from '../../environments/own/here';
import { MODEL_KEY } from '../../environments/own/own';
import { LabError } from '../../foundation/errors';
import { openedModel } from '../model/opened';
import { print } from '../output';
import { wholeNumber } from '../run/runArguments';
import { readWorldFile } from './worldFile';
import { speedOf, type WorldSpeed } from './worldSpeed';

export interface WorldOptions {
  readonly set?: string[] | undefined;
  readonly episodes?: string | undefined;
  readonly model?: string | undefined;
  readonly json: boolean;
}

const EPISODES = 1000;
const MOST_EPISODES = 100_000;

/** Reads the file and checks the arguments. Returns a function that looks at it and gives the exit code: 1 where a check fails. */
export async function worldCommand(path: string | undefined, options: WorldOptions): Promise<() => number> {
  const text = await readWorldFile(path);
  const episodes = options.episodes === undefined ? EPISODES : wholeNumber(options.episodes, '--episodes');
  if (episodes < 1 || episodes > MOST_EPISODES) {
    throw new LabError('invalid-world', `--episodes cannot be ${episodes}.`, `Choose 1 to ${MOST_EPISODES}.`);
  }
  const model = await openedModel(options.model);
  const settings = Object.fromEntries([
    ...(options.set ?? []).map(readSet),
    ...(model === null ? [] : [[MODEL_KEY, model.id] as const]),
  ]);
  await openWorlds();
  return () => {
    const looking = checkWorld(text, settings, episodes);
    let step = looking.next();
    while (!step.done) step = looking.next();
    const report = step.value;
    const isWell = report.checks.every(({ ok }) => ok !== false);
    const speed = isWell ? speedOf(text, settings) : null;
    if (options.json) print(`${JSON.stringify({ file: path, ...report, speed })}\n`);
    else print(linesOf(path ?? '', report) + speedLine(speed));
    return isWell ? 0 : 1;
  };
}

/** Key and value of a text such as `environment.size=5`, or `size=5`. */
function readSet(text: string): [key: string, value: number | boolean | string] {
  const [, key = '', value = ''] = /^(?:environment\.)?([a-z][A-Za-z0-9]*)=(.+)$/.exec(text) ?? [];
  if (key === '') throw new LabError('invalid-world', `“${text}” is no setting of a world.`, 'Write --set key=value.');
  if (value === 'true' || value === 'false') return [key, value === 'true'];
  return [key, Number.isFinite(Number(value)) ? Number(value) : value];
}

/** Steps a second, with two digits. */
function speedLine(speed: WorldSpeed | null): string {
  if (speed === null) return '';
  const [cold, warm] = [speed.cold, speed.warm].map((value) => Number(value.toPrecision(2)).toLocaleString('en'));
  return `–     A second of the processor is ${cold} steps at first, ${warm} later.\n`;
}

function linesOf(path: string, { title, summary, settings, checks }: WorldReport): string {
  const marks = new Map([
    [true, 'ok   '],
    [false, 'FAIL '],
    [null, '–    '],
  ]);
  const known = settings.map(({ key, default: usual, min, max, choices }) =>
    choices === undefined
      ? `${key}=${usual}${min === undefined ? '' : ` (${min} to ${max})`}`
      : `${key}=${usual} (${choices.join(', ')})`,
  );
  return [
    ...(title === '' ? [] : [`${title}: ${summary}`, `settings: ${known.join(', ')}`]),
    ...checks.map(({ ok, text, line, column }) => {
      // Lines of a world that was made of prompts are not the file's.
      const place = line === 0 || path.endsWith('.jsonl') ? '' : `${path}:${line}:${column}: `;
      return `${marks.get(ok)} ${place}${text}`;
    }),
    '',
  ].join('\n');
}
