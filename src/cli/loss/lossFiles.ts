/**
 * `--loss arm=FILE`: a formula from a file as a loss of an arm, in settings that links know. The loss is called by
 * the file's name without its ending; `arm:predict=FILE` and `arm:added=FILE` say what it replaces or adds.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { formulaOf, LOSS_PLACES } from '../../experiment/arm/ownLosses';
import { lossFields } from '../../experiment/link/linkFields';
import { FormulaError } from '../../formula/error';
import { LabError } from '../../foundation/errors';

/** Settings that give these losses to arms; an added one has the weight 1 on actions. Throws LabError. */
export async function lossSettings(losses: readonly string[]): Promise<string[]> {
  return (await Promise.all(losses.map(settingsOf))).flat();
}

async function settingsOf(loss: string): Promise<string[]> {
  const [, arm = '', place = 'policy', path = ''] = /^([^=:]+)(?::([^=]+))?=(.+)$/.exec(loss) ?? [];
  if (arm === '' || !(LOSS_PLACES as readonly string[]).includes(place)) {
    const advice = `Write --loss arm=FILE, or --loss arm:PLACE=FILE with one of: ${LOSS_PLACES.join(', ')}.`;
    throw new LabError('invalid-experiment', `“${loss.slice(0, 80)}” names no arm, place and file.`, advice);
  }
  const fields = lossFields(arm, lossName(path), place, await readFormula(path));
  return Object.entries(fields).map(([key, value]) => `${key}=${value}`);
}

/** The text of a formula's file, which compiles. Throws LabError. */
export async function readFormula(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new LabError('invalid-formula', `${path} cannot be read.`, 'Name a file with a formula.', { cause });
  });
  try {
    formulaOf(text);
  } catch (cause) {
    if (!(cause instanceof FormulaError)) throw cause;
    const { line, column, mistake, advice } = cause;
    throw new LabError('invalid-formula', `${path}:${line}:${column}: ${mistake}`, advice, { cause });
  }
  return text;
}

/** The file's name as a loss's name: lower-case letters, digits and hyphens. */
function lossName(path: string): string {
  const plain = basename(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain.slice(0, 32) || 'own';
}
