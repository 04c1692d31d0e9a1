/**
 * Experiment named by a preset, a link or JSON, with settings changed as links change them: `arms.mask.clipLow=0.3`. Each of the
 * three is first made the fragment of a link.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { isJson } from '../../foundation/json';
import { nearest } from '../../foundation/nearest';
import type { Experiment } from '../experiment';
import { splitMachines } from '../machines';
import { openWorldsOf } from '../ownWorld';
import { parseExperiment } from '../parse';
import { presets } from '../presets/presets';
import { decodeLink, encodeLink, presetLink } from './link';
import { withFields, withoutLink } from './linkFields';

/** Fragment for a preset's name, or of a link; null for any other text. */
export function namedFragment(subject: string): string | null {
  if (presets.some((preset) => preset.id === subject)) return presetLink(subject);
  const hash = subject.indexOf('#');
  return hash < 0 ? null : subject.slice(hash + 1);
}

/** Error for a text that names no experiment. `is`: what it is not, as in “neither a preset nor a link”. */
export function unknownSubject(subject: string, is: string): LabError {
  const ids = presets.map(({ id }) => id);
  const near = nearest(subject, ids);
  const advice = `${near === null ? '' : `Did you mean ${near}? `}Presets are: ${ids.join(', ')}.`;
  return new LabError('invalid-experiment', `“${excerpt(subject)}” is ${is}.`, advice);
}

/** Fragment for an experiment as JSON, or for that of a result. Throws LabError. */
export function fragmentOfJson(json: unknown): string {
  const { rest } = splitMachines(json);
  return encodeLink(parseExperiment(isJson(rest) && 'experiment' in rest ? rest.experiment : rest));
}

/**
 * Experiment of a link's fragment with settings changed. `part` takes a part of it first: one arm may be set to more seeds than all
 * arms together. `option`: what a setting is called in messages. Throws LabError, which names the setting at fault if one alone
 * fails.
 */
export async function settledExperiment(
  whole: string,
  sets: readonly string[],
  part: (experiment: Experiment) => Experiment = (experiment) => experiment,
  option = '--set',
): Promise<Experiment> {
  // Read once without the sandbox, to see whether the experiment, or its preset, needs it.
  await openWorldsOf(decodeLink(whole));
  // Errors of the subject itself come before those of the settings.
  const linked = decodeLink(whole);
  const experiment = part(linked);
  if (sets.length === 0) return experiment;
  const fragment = experiment === linked ? whole : encodeLink(experiment);
  try {
    return decodeLink(withSettings(fragment, sets, option));
  } catch (cause) {
    throw cause instanceof LabError ? asSettingError(cause, fragment, sets, option) : cause;
  }
}

function withSettings(fragment: string, sets: readonly string[], option: string): string {
  const fields = sets.map((set) => {
    const [path = '', ...value] = set.split('=');
    if (path === '' || value.length === 0) {
      throw new LabError('invalid-experiment', `“${set}” is no setting.`, `Write ${option} path=value.`);
    }
    return [path, value.join('=')] as const;
  });
  return withFields(fragment, fields);
}

/** Error that names the setting at fault, if one alone fails. Settings are read as a link's fields; the words “link” go. */
function asSettingError(error: LabError, fragment: string, sets: readonly string[], option: string): LabError {
  const fails = (set: string): boolean => {
    try {
      decodeLink(withSettings(fragment, [set], option));
      return false;
    } catch {
      return true;
    }
  };
  const culprit = sets.find(fails);
  const where = culprit === undefined ? 'These settings do not go together' : `${option} ${culprit}`;
  const [what, advice] = withoutLink(error);
  return new LabError('invalid-experiment', `${where}: ${what}`, advice, { cause: error });
}
