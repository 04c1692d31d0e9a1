/**
 * `npm run findings`: trains the runs that claims in findings/ still lack, on all cores, at low priority. It can be stopped at
 * any moment: finished runs are kept, and the next call goes on. Then it judges the claims by what is recorded.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { rerunInWords, verdictInWords } from '../../experiment/findings/findingWords';
import { LabError } from '../../foundation/errors';
import { commitOf } from './commit';
import { Ledger } from './ledger';
import { type ClaimPlan, FOLDER, readPlans, runsWantedBy, searchesOf } from './plan';
import { differing, reportOf, write } from './report';
import { mainOrWorker, missingRuns, type SeedJob, trainInto } from './workers';

const HELP = `npm run findings -- [--only NAME] [--cores N] [--again SEED] [--list] [--report] [--check]
  --only NAME   one claim, a folder of findings/
  --again SEED  trains the claim's rerun with other seeds, drawn from this number, and says whether it came out the same
  --list        says what is missing, and trains nothing
  --report      judges what is recorded, and trains nothing
  --check       computes every result, card and table from the files of the seeds, and says which file is not as computed
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      cores: { type: 'string' },
      again: { type: 'string' },
      list: { type: 'boolean' },
      report: { type: 'boolean' },
      check: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return say(HELP);
  const [everyPlan, ledger] = [await readPlans(), new Ledger(FOLDER)];
  if (values.check === true) return check(everyPlan, ledger);
  const plans = everyPlan.filter(({ name }) => values.only === undefined || name === values.only);
  if (plans.length === 0) {
    const advice = `Choose one of: ${everyPlan.map(({ name }) => name).join(', ')}.`;
    throw new LabError('invalid-experiment', `There is no claim findings/${values.only}.`, advice);
  }
  const isTraining = values.list !== true && values.report !== true;
  const cores = coresOf(values.cores);
  const again = values.again === undefined ? undefined : seedOf(values.again, plans);
  for (const plan of plans) {
    for (;;) {
      const jobs = await lacking(plan, ledger, again);
      say(`${plan.name}: ${jobs.length === 0 ? 'all runs are in' : `${jobs.length} runs to train`}\n`);
      if (jobs.length === 0 || !isTraining) break;
      const commit = commitOf(['claim.json', 'experiment.json'].map((file) => `${FOLDER}/${plan.name}/${file}`));
      await trainInto(ledger, jobs, { cores, bundle: import.meta.url, commit });
    }
  }
  if (values.list === true) return;
  const { asked, files } = await reportOf(everyPlan, ledger);
  await write(files);
  for (const { name, claim, finding } of asked.filter(({ name }) => plans.some((plan) => plan.name === name))) {
    const reruns = finding.reruns.filter(({ seed }) => seed === again);
    if (reruns.length === 0) say(`${name}: ${verdictInWords(finding, claim.picture === true)}\n`);
    for (const rerun of reruns) say(`${name}, ${rerun.comparison}: ${rerunInWords(rerun)}\n`);
  }
}

/** Runs that a plan lacks now: those of a search's next round, and once all searches are finished its own. */
async function lacking(plan: ClaimPlan, ledger: Ledger, again?: number): Promise<SeedJob[]> {
  const searched = await missingRuns(await searchesOf(plan, ledger), ledger);
  if (searched.length > 0) return searched;
  return missingRuns([...((await runsWantedBy(plan, ledger, again))?.values() ?? [])], ledger);
}

async function check(plans: readonly ClaimPlan[], ledger: Ledger): Promise<void> {
  const { asked, files } = await reportOf(plans, ledger);
  const wrong = await differing(files);
  if (wrong.length === 0) return say(`${asked.length} findings: every file is as computed from the seeds.\n`);
  const advice = 'Write them with npm run findings -- --report, and look at what changed.';
  throw new LabError('invalid-experiment', `Not as computed from the seeds: ${wrong.join(', ')}.`, advice);
}

const say = (text: string): void => void process.stdout.write(text);

function coresOf(text = String(availableParallelism())): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new LabError('invalid-experiment', `--cores takes a number of processes, not “${text}”.`, 'Try --cores 2.');
}

function seedOf(text: string, plans: readonly ClaimPlan[]): number {
  if (plans.length === 1 && /^\d{1,6}$/.test(text)) return Number(text);
  const advice = 'Name one claim with --only, and a number such as 9000 with --again.';
  throw new LabError(
    'invalid-experiment',
    `A rerun needs one claim and a seed, not “${text}” for ${plans.length}.`,
    advice,
  );
}

await mainOrWorker(main);
