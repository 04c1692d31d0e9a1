/**
 * From a command-line argument to a validated experiment: the name of a preset, a JSON file, or a link (a URL or its
 * fragment), with `--set path=value` applied as links apply them.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Experiment } from '../experiment/experiment';
import { decodeLink, encodeLink } from '../experiment/link';
import { parseExperiment } from '../experiment/parse';
import { presets } from '../experiment/presets';
import { LabError } from '../foundation/errors';

export async function readExperiment(subject: string | undefined, sets: readonly string[]): Promise<Experiment> {
  const fields = new Map<string, string>();
  for (const field of (await readFragment(subject)).split('&')) {
    const [key = '', ...value] = field.split('=');
    if (key !== '') fields.set(key, value.join('='));
  }
  for (const set of sets) {
    const [path = '', ...value] = set.split('=');
    if (path === '' || value.length === 0) {
      throw new LabError('invalid-experiment', `“${set}” is no setting.`, 'Write --set path=value.');
    }
    fields.set(encodeURIComponent(path), encodeURIComponent(value.join('=')));
  }
  return decodeLink(Array.from(fields, ([key, value]) => `${key}=${value}`).join('&'));
}

async function readFragment(subject: string | undefined): Promise<string> {
  if (subject === undefined) {
    throw new LabError('invalid-experiment', 'No experiment was named.', 'Name a preset, a JSON file or a link.');
  }
  if (presets.some((preset) => preset.id === subject)) return `preset=${subject}`;
  const hash = subject.indexOf('#');
  if (hash >= 0) return subject.slice(hash + 1);
  if (existsSync(subject)) {
    let value: unknown;
    try {
      value = JSON.parse(await readFile(subject, 'utf8'));
    } catch (cause) {
      throw new LabError('invalid-experiment', `${subject} is not JSON.`, 'Choose an experiment file.', { cause });
    }
    return encodeLink(parseExperiment(value));
  }
  const known = presets.map((preset) => preset.id).join(', ');
  throw new LabError(
    'invalid-experiment',
    `“${subject}” is neither a preset, nor a file, nor a link.`,
    `Presets are: ${known}.`,
  );
}
