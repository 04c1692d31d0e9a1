/** Runs cases of fixture files on a backend, through the operations of training, and compares the outputs. */
import { LabError } from '../foundation/errors';
import type { Backend } from '../tensor/backend';
import { checkAdvantage } from './advantage/advantage';
import { compare, type LargestDifference, worse } from './compare';
import { checkEcho } from './echo/echo';
import { type CheckedOutput, type Family, type Fixture, invalid } from './format';
import { checkFormula } from './formula';
import { checkKl } from './kl';
import { checkMaskedLogProb } from './maskedLogProb';
import { checkPolicyLoss } from './policyLoss/policyLoss';

type Adapter = (backend: Backend, fixture: Fixture) => Promise<readonly CheckedOutput[]>;

const ADAPTERS: Readonly<Record<Family, Adapter>> = {
  masked_logprob: checkMaskedLogProb,
  advantage: checkAdvantage,
  policy_loss: checkPolicyLoss,
  kl: checkKl,
  echo: checkEcho,
  formula: checkFormula,
};

export interface CaseReport {
  readonly name: string;
  readonly family: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Reasons why it failed or was skipped; empty if it passed. */
  readonly reasons: readonly string[];
  readonly worst: LargestDifference | null;
  /** Numbers compared. */
  readonly compared: number;
  /** Kernel dispatches on WebGPU, operations elsewhere. */
  readonly dispatches: number;
}

/** Tags of cases that are skipped, and why. */
const SKIPPED: Readonly<Record<string, string>> = {
  error: 'the other project raises an error instead of giving a number',
  legacy: 'an older version of the other project, superseded by another case',
};

/** Family of a case, by its contents. */
export function familyOf({ name, params, inputs, expected, error }: Fixture): Family {
  const has = (input: string): boolean => input in inputs;
  if ('formula' in params) return 'formula';
  if (has('logits')) return 'masked_logprob';
  if ('kl' in expected) return 'kl';
  if (params.kind === 'token_selection' || has('env_mask') || ('peer' in params && 'lam' in params)) return 'echo';
  if ('loss' in expected) return 'policy_loss';
  const advantage = ['advantages', 'returns', 'whitened', 'rewards', 'step_returns'];
  if (error !== undefined || advantage.some((output) => output in expected)) return 'advantage';
  throw invalid(`What ${name} is about cannot be told from what it holds`);
}

export async function runCase(backend: Backend, fixture: Fixture): Promise<CaseReport> {
  const [name, family] = [fixture.name, familyOf(fixture)];
  const skipped = fixture.tags?.find((tag) => tag in SKIPPED) ?? (fixture.error === undefined ? null : 'error');
  if (skipped === null) return reportOf(backend, name, family, (counting) => ADAPTERS[family](counting, fixture));
  return { name, family, worst: null, compared: 0, dispatches: 0, outcome: 'skipped', reasons: [SKIPPED[skipped]] };
}

/** Report of a case: its computed outputs, compared. */
export async function reportOf(
  backend: Backend,
  name: string,
  family: string,
  compute: (backend: Backend) => Promise<readonly CheckedOutput[]>,
): Promise<CaseReport> {
  const counting = countDispatches(backend);
  try {
    const comparisons = await compute(counting.backend);
    if (comparisons.length === 0) throw invalid(`${name} expects no output that can be compared`);
    const judged = comparisons.map((comparison) => compare(name, comparison));
    const reasons = judged.flatMap((one) => one.reasons);
    return {
      name,
      family,
      outcome: reasons.length === 0 ? 'passed' : 'failed',
      reasons,
      worst: judged.map((one) => one.worst).reduce(worse, null),
      compared: comparisons.reduce((total, { expected }) => total + expected.length, 0),
      dispatches: counting.dispatches(),
    };
  } catch (cause) {
    // Other errors, such as a lost device, are no property of the case.
    if (cause instanceof LabError && cause.code !== 'invalid-fixture' && cause.code !== 'internal') throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const nothing = { worst: null, compared: 0, dispatches: counting.dispatches() };
    return { name, family, outcome: 'failed', reasons: [reason], ...nothing };
  }
}

/** Copy of a backend that counts the operations of all programs recorded on it. */
function countDispatches(backend: Backend): { backend: Backend; dispatches: () => number } {
  let dispatches = 0;
  const counting: Backend = {
    kind: backend.kind,
    description: backend.description,
    limits: backend.limits,
    sharedGpu: backend.sharedGpu,
    lost: backend.lost,
    get allocatedBytes() {
      return backend.allocatedBytes;
    },
    tensor: (...of) => backend.tensor(...of),
    write: (...of) => backend.write(...of),
    read: backend.read.bind(backend),
    record: (...of) => {
      const program = backend.record(...of);
      dispatches += program.operations;
      return program;
    },
    prepare: (...of) => backend.prepare(...of),
    run: (...of) => backend.run(...of),
    dispose: () => backend.dispose(),
  };
  return { backend: counting, dispatches: () => dispatches };
}
