/**
 * Parity on this very device: the tests' cases, run on it and on the float64 reference. They are those of the operations
 * that the requested kernels serve, in the variant that dispatches these kernels.
 */

import { LabError } from '../../foundation/errors';
import { CASES } from '../../parity/cases/all';
import { agreement, type ParityCase, runCase } from '../../parity/cases/case';
import type { Operations } from '../../tensor/backend';
import { ReferenceBackend } from '../../tensor/reference/backend';
import { kernelsOf } from '../../tensor/webgpu/backend';
import type { KernelDevice } from './device';
import { variantOf } from './list';
import type { CheckedCase, OperationCheck, Variant } from './report';
import { KERNELS } from './served';

/** Largest number of differences reported of a case. */
const TOLD = 5;

interface Subject {
  readonly operation: keyof Operations;
  readonly variant: Variant | null;
}

export interface CheckListener {
  progress(done: number, of: number, text: string): void;
  checked(check: OperationCheck): void;
}

/** Operations to check, each once in each variant that one of the kernels needs. */
export function subjectsOf(kernels: readonly string[], device: Pick<KernelDevice, 'variant'>): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const { kernel, operations } of KERNELS) {
    if (!kernels.includes(kernel)) continue;
    const variant = device.variant === null ? null : (variantOf(kernel) ?? device.variant);
    for (const operation of operations) subjects.set(`${operation} ${variant}`, { operation, variant });
  }
  return [...subjects.values()];
}

/** Cases of all subjects. `seconds`: time for all, an equal part of it for each subject, which gets a case at least. */
export async function checkKernels(
  kernels: readonly string[],
  device: KernelDevice,
  tell: CheckListener,
  seconds = Number.POSITIVE_INFINITY,
): Promise<void> {
  const subjects = subjectsOf(kernels, device);
  const casesOf = ({ operation }: Subject) => CASES.filter((one) => one.operation === operation);
  const of = subjects.reduce((total, subject) => total + casesOf(subject).length, 0);
  let done = 0;
  const begun = performance.now();
  for (const [index, subject] of subjects.entries()) {
    const { operation, variant } = subject;
    const began = performance.now();
    const cases: CheckedCase[] = [];
    const end = begun + (1000 * seconds * (index + 1)) / subjects.length;
    const casesHere = casesOf(subject);
    for (const [i, one] of casesHere.entries()) {
      if (cases.length > 0 && performance.now() > end) break;
      tell.progress(done + i, of, one.name);
      cases.push(await checkCase(one, device, variant));
    }
    done += casesHere.length;
    tell.checked({ operation, variant, device: device.line, cases, seconds: (performance.now() - began) / 1000 });
  }
}

async function checkCase(parityCase: ParityCase, device: KernelDevice, variant: Variant | null): Promise<CheckedCase> {
  const { name, members } = parityCase;
  const kernels: string[] = [];
  const backend = await device.open({ variant });
  try {
    const results = await runCase(backend, parityCase, (program) => kernels.push(...kernelsOf(program)));
    const { differences, ...found } = agreement(parityCase, results, await runCase(new ReferenceBackend(), parityCase));
    const more = differences.length - TOLD;
    const failures = more > 0 ? [...differences.slice(0, TOLD), `and ${more} more`] : differences;
    return { name, members, kernels, failures, ...found };
  } catch (cause) {
    // Reported as the case's failure: a kernel that does not compile here, or too little memory. Only a lost device ends
    // the job.
    if (cause instanceof LabError && cause.code === 'device-lost') throw cause;
    const failures = [cause instanceof Error ? cause.message : String(cause)];
    return {
      name,
      members,
      kernels,
      failures,
      compared: 0,
      worst: Number.POSITIVE_INFINITY,
      where: '',
      error: Number.NaN,
    };
  } finally {
    backend.dispose();
  }
}
