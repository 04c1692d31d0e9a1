/** The backends that engine tests run on. The reference is the oracle; the others must agree with themselves as it does. */
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';

export interface AvailableBackend {
  readonly name: string;
  create(): Promise<Backend>;
}

export const availableBackends: readonly AvailableBackend[] = [
  { name: 'reference', create: async () => new ReferenceBackend() },
];
