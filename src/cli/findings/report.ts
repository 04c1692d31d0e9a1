/** Files of `npm run findings`: a result and a card of each claim, the table of all, and the table of the lab's README. */
import { readFile, writeFile } from 'node:fs/promises';
import { findEnvironment } from '../../environments/registry';
import { interval } from '../../experiment/findings/findingWords';
import { type AnsweredClaim, tell } from '../../experiment/findings/told';
import { card, overviewOf } from './cards';
import { judge } from './judge';
import type { Ledger } from './ledger';
import { table, withBlock } from './markdown';
import { type ClaimPlan, FOLDER } from './plan';

export interface Report {
  readonly asked: readonly AnsweredClaim[];
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

export async function reportOf(plans: readonly ClaimPlan[], ledger: Ledger): Promise<Report> {
  const answers = JSON.parse(await readFile(`${FOLDER}/answers.json`, 'utf8')) as Readonly<Record<string, string>>;
  const claims: AnsweredClaim[] = [];
  for (const plan of plans) {
    const { name, claim } = plan;
    claims.push({ name, claim, finding: await judge(plan, ledger), answer: answers[name] ?? '' });
  }
  const files = new Map(
    claims.flatMap((one) => [
      [`${FOLDER}/${one.name}/result.json`, `${JSON.stringify(one.finding)}\n`],
      [`${FOLDER}/${one.name}/README.md`, card(one)],
    ]),
  );
  files.set(`${FOLDER}/README.md`, overviewOf(claims));
  files.set('README.md', withBlock(await readFile('README.md', 'utf8'), 'from the recorded runs', fourWorlds(claims)));
  return { asked: claims, files };
}

export async function write(files: Report['files']): Promise<void> {
  for (const [path, text] of files) await writeFile(path, text);
}

/** Paths of files that hold something else. */
export async function differing(files: Report['files']): Promise<string[]> {
  const same = await Promise.all(
    [...files].map(async ([path, text]) => (await readFile(path, 'utf8').catch(() => null)) === text),
  );
  return [...files.keys()].filter((_, i) => !same[i]);
}

/** Table for the README: each arm at its own best settings, on the tasks it practised, with other seeds, and on other tasks. */
function fourWorlds(claims: readonly AnsweredClaim[]): string {
  const finding = (name: string): AnsweredClaim => claims.find((one) => one.name === name) as AnsweredClaim;
  const [practised, onOthers] = [finding('best-against-best'), finding('best-against-best-new-tasks')];
  const rows = tell(practised).comparisons.map(({ compared: { id, unpaired }, row: [, mask, model] }) => {
    const [, from, to, gap] = tell(onOthers).comparisons.find(({ compared }) => compared.id === id)?.row ?? [];
    const again = practised.finding.reruns.find(({ comparison }) => comparison === id);
    return [
      findEnvironment(id)?.title ?? id,
      `${mask} → ${model}`,
      interval(unpaired),
      again === undefined ? 'not run' : interval(again.unpaired),
      `${from} → ${to}, ${gap}`,
    ];
  });
  const head = [
    'world',
    'practised tasks: success over training, mask → world model',
    'difference (95% interval), 16 seeds',
    '8 other seeds',
    'new tasks, at the end',
  ];
  return table([head, ...rows]).join('\n');
}
