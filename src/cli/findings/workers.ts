/** Processes that each train one seed after another: one a core, at low priority. */
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Ledger, RunOutcome, WantedRuns } from './ledger';
import { trainSeed } from './train';

export interface SeedJob {
  readonly wanted: WantedRuns;
  readonly seed: number;
}

interface Trained {
  readonly device: string;
  readonly numerics: number;
  readonly outcome: RunOutcome;
}

const SERVE = '--serve';

/** Does `main` in the process that was called, and serves in the processes that it starts. */
export async function mainOrWorker(main: () => Promise<void>): Promise<void> {
  if (process.argv.includes(SERVE) && process.send !== undefined) return serve();
  try {
    await main();
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`);
    process.exitCode = 1;
  }
}

/** Serves as a worker: trains each job it is sent and sends back the outcome, until the parent disconnects. */
function serve(): void {
  setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  process.on('message', async ({ wanted, seed }: SeedJob) => {
    const trained = await trainSeed(wanted, seed);
    process.send?.(trained);
  });
}

/** Runs that files of the ledger still lack, each once. */
export async function missingRuns(everyRun: readonly WantedRuns[], ledger: Ledger): Promise<SeedJob[]> {
  const jobs = new Map<string, SeedJob>();
  for (const wanted of everyRun) {
    for (const seed of await ledger.missing(wanted)) jobs.set(`${wanted.name}/${seed}`, { wanted, seed });
  }
  return [...jobs.values()];
}

/**
 * Does all jobs, `cores` at once, keeps each in the ledger and says so with the minutes left. `bundle`: script that the processes
 * run. `commit`: of the claim they belong to.
 */
export async function trainInto(
  ledger: Ledger,
  jobs: readonly SeedJob[],
  { cores, bundle, commit }: { cores: number; bundle: string; commit?: string },
): Promise<void> {
  const began = performance.now();
  let done = 0;
  await trainAll(jobs, cores, bundle, async ({ wanted, seed }, { device, numerics, outcome }) => {
    await ledger.add(wanted, seed, device, outcome, { commit, numerics });
    done++;
    const left = ((performance.now() - began) / done) * (jobs.length - done);
    const time = `${outcome.seconds} s, about ${Math.ceil(left / 60_000)} min left`;
    const reached = `area ${outcome.area}, end ${outcome.final} (${time})`;
    process.stdout.write(`${done}/${jobs.length} ${wanted.name} seed ${seed}: ${reached}\n`);
  });
}

/** Does all jobs; after a failure no further job begins. */
async function trainAll(
  jobs: readonly SeedJob[],
  cores: number,
  bundle: string,
  done: (job: SeedJob, trained: Trained) => Promise<void>,
): Promise<void> {
  const queue = [...jobs];
  const work = async (): Promise<void> => {
    const worker = fork(fileURLToPath(bundle), [SERVE]);
    try {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) await done(job, await train(worker, job));
    } catch (cause) {
      queue.length = 0;
      throw cause;
    } finally {
      worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: Math.min(cores, jobs.length) }, work));
}

function train(worker: ChildProcess, job: SeedJob): Promise<Trained> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void =>
      reject(new Error(`The process that trained ${job.wanted.name} seed ${job.seed} ended with ${code}.`));
    worker.once('exit', ended);
    worker.once('message', (trained) => {
      worker.off('exit', ended);
      resolve(trained as Trained);
    });
    worker.send(job);
  });
}
