/**
 * `npm run fair`: trains the runs that findings/fair still lacks, round after round, on all cores, at low priority. It
 * can be stopped at any moment: finished runs are kept, and the next call continues.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Ledger } from '../findings/ledger';
import { withBlock } from '../findings/markdown';
import { mainOrWorker, missing, trainInto } from '../findings/workers';
import { report } from './report';
import { STAGES } from './stages';
import { findingsBlock, pageWords, readmeBlock } from './words';

const FOLDER = 'findings/fair';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      cores: { type: 'string' },
      list: { type: 'boolean' },
      report: { type: 'boolean' },
    },
  });
  const stages = Object.keys(STAGES).filter((stage) => values.only === undefined || stage.startsWith(values.only));
  if (stages.length === 0)
    throw new RangeError(`--only takes the beginning of one of: ${Object.keys(STAGES).join(', ')}.`);
  const ledger = new Ledger(FOLDER);
  if (values.report === true) return tell(ledger);
  for (const stage of stages)
    await finish(stage, ledger, values.list ?? false, Number(values.cores ?? availableParallelism()));
}

/** Writes the report on the runs recorded so far: numbers, sentences for the page, blocks of the two READMEs. */
async function tell(ledger: Ledger): Promise<void> {
  const found = await report(ledger);
  await writeFile(`${FOLDER}/result.json`, `${JSON.stringify(found)}\n`);
  for (const [name, words] of Object.entries(pageWords(found))) {
    await writeFile(`src/experiment/${name}.json`, `${JSON.stringify(words, null, 2)}\n`);
  }
  for (const [path, block] of [
    ['README.md', readmeBlock(found)],
    [`${FOLDER}/README.md`, findingsBlock(found)],
  ] as const) {
    await writeFile(path, withBlock(await readFile(path, 'utf8'), 'from the recorded runs', block));
  }
}

/** Trains round after round until a stage asks for nothing more. */
async function finish(stage: string, ledger: Ledger, listOnly: boolean, cores: number): Promise<void> {
  for (;;) {
    const jobs = await missing((await STAGES[stage]?.(ledger)) ?? [], ledger);
    process.stdout.write(`${stage}: ${jobs.length} runs to train\n`);
    if (jobs.length === 0 || listOnly) return;
    await trainInto(ledger, jobs, { cores, bundle: import.meta.url });
  }
}

await mainOrWorker(main);
