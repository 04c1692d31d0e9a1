/** Data that every look at a batch reads: its tensors, and the policies and passes that computed them. */
import type { PolicyConfiguration } from '../../policy/configuration';
import type { ParameterLayout } from '../../policy/parameters';
import type { BatchTensors } from '../learn/batch';
import type { Microbatch } from '../learn/microbatches';
import type { FindParameter, Passes } from '../learn/passes';

export interface LookedBatch {
  readonly members: number;
  readonly configuration: PolicyConfiguration;
  readonly layout: ParameterLayout;
  /** Parameters of the policies in training. */
  readonly policy: FindParameter;
  readonly batch: BatchTensors;
  readonly microbatches: readonly Microbatch[];
  readonly passes: Passes;
}
