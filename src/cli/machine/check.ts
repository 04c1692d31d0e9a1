/**
 * `lab check`: recomputes results of other projects' own code (docs/fixtures.md), with the operations that training uses.
 * The table goes to stdout, messages to stderr.
 */

import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { worse } from '../../check/compare';
import { FIXTURE_LIMITS, parseFixtures } from '../../check/format';
import { type CaseReport, familyOf, runCase } from '../../check/run';
import { BACKEND_KINDS } from '../../experiment/machines';
import { isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { precisePercent } from '../../foundation/percent';
import { acquireGpu } from '../../gpu/acquire';
import { createNodeGpu } from '../../node/gpu';
import type { Backend } from '../../tensor/backend';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { ReferenceBackend } from '../../tensor/reference/backend';
import { createWebGpuBackend } from '../../tensor/webgpu/backend';
import { checkModelFolder, expectsNumbers, modelCheck } from '../model/check';
import { print } from '../output';

export interface CheckOptions {
  backend?: string | undefined;
  json: boolean;
}

const BACKENDS = ['auto', ...BACKEND_KINDS] as const;
type Choice = (typeof BACKENDS)[number];

/** Reads all files and checks the arguments. Returns a function that runs the cases and gives the exit code. */
export async function checkCommand(files: readonly string[], options: CheckOptions): Promise<() => Promise<number>> {
  if (files.length === 0) {
    throw new LabError('invalid-fixture', 'No file was named.', 'Name fixture files, such as test/fixtures/kl.json.');
  }
  const choice = BACKENDS.find((name) => name === (options.backend ?? 'auto'));
  if (choice === undefined) {
    const what = `There is no backend “${options.backend}”.`;
    throw new LabError('unsupported', what, `Choose one of: ${BACKENDS.join(', ')}.`);
  }
  const cases: Given[] = [];
  for (const file of files) cases.push(await readGiven(file));
  return () => check(cases, choice, options.json);
}

/** Runs the cases of a file or folder. open: makes a backend as `backend` is, for those that need much memory. */
type Given = (backend: Backend, open: () => Promise<Backend>) => Promise<readonly CaseReport[]>;

/** Cases of a file, each of a known family, or of a folder. Throws LabError that names it. */
async function readGiven(file: string): Promise<Given> {
  const refuse = (what: string, cause?: unknown): LabError =>
    new LabError('invalid-fixture', what, 'Choose a file or folder in the format of docs/fixtures.md.', { cause });
  let text: string;
  try {
    const place = await stat(file);
    if (place.isDirectory()) {
      if (!(await expectsNumbers(file))) throw refuse(`${file} is a folder without a model and its expected.json.`);
      return (_, open) => checkModelFolder(open, file);
    }
    if (place.size > FIXTURE_LIMITS.bytes) {
      throw refuse(`${file} has ${place.size} bytes, more than ${FIXTURE_LIMITS.bytes}.`);
    }
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw cause instanceof LabError ? cause : refuse(`${file} cannot be read.`, cause);
  }
  const ofModel = modelCheck(basename(file), text);
  if (ofModel !== null) return (_, open) => ofModel(open);
  try {
    const fixtures = parseFixtures(text);
    for (const fixture of fixtures) familyOf(fixture);
    return async (backend) => {
      const reports: CaseReport[] = [];
      for (const fixture of fixtures) reports.push(await runCase(backend, fixture));
      return reports;
    };
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    throw new LabError(cause.code, `${file}: ${cause.what}`, cause.advice, { cause });
  }
}

async function check(cases: readonly Given[], choice: Choice, json: boolean): Promise<number> {
  const { backend, reason } = await open(choice);
  process.stderr.write(`Runs on ${backend.description}: ${reason}.\n`);
  const reports: CaseReport[] = [];
  try {
    for (const run of cases) reports.push(...(await run(backend, async () => (await open(backend.kind)).backend)));
  } finally {
    backend.dispose();
  }
  const of = (outcome: CaseReport['outcome']): number => reports.filter((report) => report.outcome === outcome).length;
  const totals = { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
  const families = [...new Set(reports.map(({ family }) => family))].map((family) => summary(family, reports));
  if (json) {
    const result = { backend: backend.kind, adapter: backend.description, ...totals, families, cases: reports };
    print(`${JSON.stringify(result)}\n`);
  } else {
    for (const line of table(families, reports, backend.kind)) print(`${line}\n`);
    print(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
  }
  return totals.failed === 0 ? 0 : 1;
}

interface FamilySummary {
  readonly family: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Numbers compared. */
  readonly compared: number;
  readonly dispatches: number;
  readonly worst: CaseReport['worst'];
}

function summary(family: string, reports: readonly CaseReport[]): FamilySummary {
  const cases = reports.filter((report) => report.family === family);
  const count = (outcome: CaseReport['outcome']): number => cases.filter((report) => report.outcome === outcome).length;
  const sum = (of: (report: CaseReport) => number): number => cases.reduce((total, report) => total + of(report), 0);
  return {
    family,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    compared: sum(({ compared }) => compared),
    dispatches: sum(({ dispatches }) => dispatches),
    worst: cases.map(({ worst }) => worst).reduce(worse, null),
  };
}

/** Lines: one for each family, then one for each reason why a case of it failed or was skipped. */
function table(families: readonly FamilySummary[], reports: readonly CaseReport[], kind: Backend['kind']): string[] {
  const recorded = kind === 'webgpu' ? 'dispatches' : 'operations';
  return families.flatMap(({ family, passed, failed, skipped, compared, dispatches, worst }) => {
    const cases = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    const near =
      worst === null
        ? 'no difference'
        : `worst ${worst.error.toExponential(1)}, ${Number.isFinite(worst.share) ? precisePercent(worst.share) : 'more than all'} of what is allowed (${worst.output} of ${worst.case})`;
    const unpassed = reports.filter((report) => report.family === family && report.outcome !== 'passed');
    return [
      `${family.padEnd(15)} ${cases.padEnd(34)} ${compared} numbers, ${dispatches} ${recorded}, ${near}`,
      ...unpassed.flatMap(({ name, outcome, reasons }) => reasons.map((reason) => `  ${outcome} ${name}: ${reason}`)),
    ];
  });
}

async function open(choice: Choice): Promise<{ backend: Backend; reason: string }> {
  if (choice === 'reference') return { backend: new ReferenceBackend(), reason: 'because it was chosen' };
  if (isCpu(choice)) return { backend: await createCpuBackend({ kind: choice }), reason: 'because it was chosen' };
  try {
    const acquired = await acquireGpu((await createNodeGpu()).gpu);
    if (choice === 'webgpu') return { backend: createWebGpuBackend(acquired), reason: 'because it was chosen' };
    if (!acquired.software) return { backend: createWebGpuBackend(acquired), reason: 'the GPU, through WebGPU' };
    acquired.release();
    const reason = `because the only WebGPU adapter is ${acquired.description}; --backend webgpu takes it all the same`;
    return { backend: await createCpuBackend(), reason };
  } catch (cause) {
    if (choice === 'webgpu' || !(cause instanceof LabError)) throw cause;
    return { backend: await createCpuBackend(), reason: `because the GPU cannot be had: ${cause.what}` };
  }
}
