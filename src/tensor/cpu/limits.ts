/** Memory of the CPU backend. */
import type { BackendLimits } from '../backend';

/** 32-bit addresses reach 4 GiB; browsers give less. */
export const MAX_BYTES = 3.5 * 2 ** 30;

export const CPU_LIMITS: BackendLimits = {
  maxTensorBytes: 2 ** 31,
  maxBindingBytes: 2 ** 31,
  memoryBudgetBytes: 2 ** 30,
  maxOperationFlops: Number.POSITIVE_INFINITY,
  maxSubmissionFlops: Number.POSITIVE_INFINITY,
};
