/** Last lines that a finished run prints: the folder that keeps it, and the commands that go on from there. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFixed } from '../../experiment/arm/policyFiles';
import { findModel } from '../../experiment/models';
import { EXPERIMENT_TABLE } from '../../experiment/settings/experimentTable';
import { mebibytes } from '../../foundation/bytes';
import type { RunResult } from '../../train/result/result';
import { LAB } from '../commands';
import { resumeCommand } from '../errors';
import { modelArgument } from '../model/named';
import { quote } from '../shell';
import type { RunFolder } from './runFolder';

export async function keptLines(folder: RunFolder, { experiment, arms, shard }: RunResult): Promise<readonly string[]> {
  const { path, named } = folder;
  if (path === null) return [];
  const line = [`Kept in ${path}.`, ...(named ? [] : [await sizeWords(dirname(path)).catch(() => '')])].join(' ');
  if (shard !== undefined) return [line, `With the other shares: ${LAB} merge ${quote(path)} … --out DIR`];
  const updates = Math.min(2 * experiment.updates, EXPERIMENT_TABLE.updates.max);
  const arm = arms.find((one, i) => one.seeds.length > 0 && !isFixed(experiment.arms[i] ?? { fixedPolicy: '' }));
  const member = arm === undefined ? null : `${arm.id}/${arm.seeds[0]?.seed}`;
  return [
    line,
    `Train it longer:    ${resumeCommand(folder)} --updates ${updates}`,
    `Its curves:         ${LAB} export ${quote(path)} --out ${quote(join(path, 'curves.csv'))}`,
    ...(member === null ? [] : policyLines(path, member, findModel(experiment.policy.model) !== undefined)),
    `As a link:          ${LAB} link ${quote(join(path, 'result.json'))}`,
  ];
}

function policyLines(path: string, member: string, saysTexts: boolean): string[] {
  const asFile = `A policy as a file: ${LAB} export ${quote(path)} --member ${member}${modelArgument()} --out`;
  if (saysTexts) {
    return [
      `${asFile} ${quote(join(path, 'model'))}`,
      `Talk to it:         ${LAB} chat ${quote(path)} --member ${member}${modelArgument()}`,
    ];
  }
  const policy = quote(join(path, 'policy.onnx'));
  return [`${asFile} ${policy}`, `Let it play:        ${LAB} eval ${policy}`];
}

/** Number and size of the runs that were kept without being asked for: nothing deletes them. */
async function sizeWords(folder: string): Promise<string> {
  const runs = await readdir(folder);
  const files = (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
  // Another process may be writing or removing them.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        (one) => (one.isFile() ? one.size : 0),
        () => 0,
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const count = runs.length === 1 ? 'It is the only run there' : `There are ${runs.length} runs in ${folder}`;
  return `${count}, ${mebibytes(bytes)}; delete what you do not need.`;
}
