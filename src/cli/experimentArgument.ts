/**
 * From a command-line argument to a validated experiment: the name of a preset, a JSON file of an experiment or a result, or a
 * link (a URL or its fragment), with `--set path=value` applied as links apply them.
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Experiment } from '../experiment/experiment';
import { decodeLink, encodeLink } from '../experiment/link/link';
import { withFields, withoutLink } from '../experiment/link/linkFields';
import { splitMachines } from '../experiment/machines';
import { openWorldsOf } from '../experiment/ownWorld';
import { parseExperiment } from '../experiment/parse';
import { presets } from '../experiment/presets/presets';
import { LabError } from '../foundation/errors';
import { advise } from './errors';

/** Experiment of an argument. `part` takes a part of it first: one arm may be set to more seeds than all arms together. */
export async function readExperiment(
  subject: string | undefined,
  sets: readonly string[],
  part?: (experiment: Experiment) => Experiment,
): Promise<Experiment> {
  const whole = await readFragment(subject);
  // Read once without the sandbox, to see whether the experiment, or its preset, needs it.
  await openWorldsOf(decodeLink(whole));
  // Errors of the subject itself come before those of the settings.
  const given = decodeLink(whole);
  const experiment = part === undefined ? given : part(given);
  if (sets.length === 0) return experiment;
  const fragment = experiment === given ? whole : encodeLink(experiment);
  try {
    return decodeLink(withSettings(fragment, sets));
  } catch (cause) {
    throw cause instanceof LabError ? asSettingError(cause, fragment, sets) : cause;
  }
}

function withSettings(fragment: string, sets: readonly string[]): string {
  const fields = sets.map((set) => {
    const [path = '', ...value] = set.split('=');
    if (path === '' || value.length === 0) {
      throw new LabError('invalid-experiment', `“${set}” is no setting.`, 'Write --set path=value.');
    }
    return [path, value.join('=')] as const;
  });
  return withFields(fragment, fields);
}

/** Error that names the --set at fault, if one alone fails. Settings are read as a link's fields; the words “link” go. */
function asSettingError(error: LabError, fragment: string, sets: readonly string[]): LabError {
  const fails = (set: string): boolean => {
    try {
      decodeLink(withSettings(fragment, [set]));
      return false;
    } catch {
      return true;
    }
  };
  const culprit = sets.find(fails);
  const where = culprit === undefined ? 'These --set options do not go together' : `--set ${culprit}`;
  const [what, advice] = withoutLink(error);
  return new LabError('invalid-experiment', `${where}: ${what}`, advice, { cause: error });
}

async function readFragment(subject: string | undefined): Promise<string> {
  if (subject === undefined) {
    throw new LabError('invalid-experiment', 'No experiment was named.', 'Name a preset, a JSON file or a link.');
  }
  if (presets.some((preset) => preset.id === subject)) return `preset=${subject}`;
  const hash = subject.indexOf('#');
  if (hash >= 0) return subject.slice(hash + 1);
  const found = statSync(subject, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    const advice = `Name an experiment file, or continue the run that was left there with --resume ${subject}.`;
    throw new LabError('invalid-experiment', `${subject} is a folder.`, advice);
  }
  if (found !== undefined)
    return encodeLink(parseExperiment(experimentIn(splitMachines(await readJson(subject)).rest)));
  const known = presets.map((preset) => preset.id).join(', ');
  throw new LabError(
    'invalid-experiment',
    `“${subject}” is neither a preset, nor a file, nor a link.`,
    advise(
      subject,
      presets.map(({ id }) => id),
      `Presets are: ${known}.`,
    ),
  );
}

/** An experiment's file is the experiment; a result's file has it. */
const experimentIn = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'experiment' in json ? json.experiment : json;

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const what = cause instanceof SyntaxError ? `${path} is not JSON.` : `${path} cannot be read.`;
    throw new LabError('invalid-experiment', what, 'Choose an experiment file.', { cause });
  }
}
