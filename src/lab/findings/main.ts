/**
 * `npm run findings`: trains the runs that claims in findings/ still lack, on all cores, at low priority. It can be stopped at
 * any moment: finished runs are kept, and the next call goes on. Then it judges the claims by what is recorded.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { answerInWords, rerunInWords } from '../../experiment/findings/words';
import { LabError } from '../../foundation/errors';
import { cards, type Judged, overview } from './cards';
import { commitOf } from './commit';
import { judge } from './judge';
import { Ledger } from './ledger';
import { withBlock } from './markdown';
import { FOLDER, type Plan, readPlans, wantedBy } from './plan';
import { mainOrWorker, missing, trainInto } from './workers';

const HELP = `npm run findings -- [--only NAME] [--cores N] [--again SEED] [--list] [--report]
  --only NAME   one claim, a folder of findings/
  --again SEED  trains the claim's rerun with other seeds, drawn from this number, and says whether it came out the same
  --list        says what is missing, and trains nothing
  --report      judges what is recorded, and trains nothing
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      cores: { type: 'string' },
      again: { type: 'string' },
      list: { type: 'boolean' },
      report: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return say(HELP);
  const [all, ledger] = [await readPlans(), new Ledger(FOLDER)];
  const plans = all.filter(({ name }) => values.only === undefined || name === values.only);
  if (plans.length === 0) {
    const advice = `Choose one of: ${all.map(({ name }) => name).join(', ')}.`;
    throw new LabError('invalid-experiment', `There is no claim findings/${values.only}.`, advice);
  }
  const isTraining = values.list !== true && values.report !== true;
  const cores = coresOf(values.cores);
  const again = values.again === undefined ? undefined : seedOf(values.again, plans);
  for (const plan of plans) {
    const jobs = await missing([...(await wantedBy(plan, ledger, again)).values()], ledger);
    say(`${plan.name}: ${jobs.length === 0 ? 'all runs are in' : `${jobs.length} runs to train`}\n`);
    if (jobs.length === 0 || !isTraining) continue;
    const commit = commitOf(['claim.json', 'experiment.json'].map((file) => `${FOLDER}/${plan.name}/${file}`));
    await trainInto(ledger, jobs, { cores, bundle: import.meta.url, commit });
  }
  if (values.list === true) return;
  const judged = await Promise.all(all.map(async (plan) => ({ plan, finding: await judge(plan, ledger) })));
  await tell(judged, plans, again);
}

const say = (text: string): void => void process.stdout.write(text);

function coresOf(text = String(availableParallelism())): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new LabError('invalid-experiment', `--cores takes a number of processes, not “${text}”.`, 'Try --cores 2.');
}

function seedOf(text: string, plans: readonly Plan[]): number {
  if (plans.length === 1 && /^\d{1,6}$/.test(text)) return Number(text);
  const advice = 'Name one claim with --only, and a number such as 9000 with --again.';
  throw new LabError(
    'invalid-experiment',
    `A rerun needs one claim and a seed, not “${text}” for ${plans.length}.`,
    advice,
  );
}

/** Writes the results of all claims and their cards, and says what came of those that were asked for. */
async function tell(judged: readonly Judged[], asked: readonly Plan[], again?: number): Promise<void> {
  for (const { plan, finding } of judged) {
    await writeFile(`${FOLDER}/${plan.name}/result.json`, `${JSON.stringify(finding)}\n`);
    if (!asked.includes(plan)) continue;
    const rerun = finding.reruns.find(({ seed }) => seed === again);
    say(`${plan.name}: ${rerun === undefined ? answerInWords(finding, plan.claim) : rerunInWords(rerun)}\n`);
  }
  await writeFile(`${FOLDER}/README.md`, cards(judged));
  await writeFile('README.md', withBlock(await readFile('README.md', 'utf8'), 'from the claims', overview(judged)));
}

await mainOrWorker(main);
