/**
 * Backend to ask the trainer for. “Automatic” takes the CPU with fused multiply-add where it can be had, but not where a result
 * is at hand that was measured without: its last digits are those of the plain CPU, and only there they come again.
 */
import type { Experiment } from '../../experiment/experiment';
import { cpuKindOf } from '../../foundation/cpuVariants';
import type { BackendChoice } from '../../train/protocol';
import { recordedResultOf } from '../recorded/recordings';
import type { Sent } from '../recorded/sentResult';

export function backendFor(choice: BackendChoice, experiment: Experiment, sent: Sent | null): BackendChoice {
  if (choice !== 'auto') return choice;
  const isSent = sent !== null && JSON.stringify(sent.experiment) === JSON.stringify(experiment);
  const device = isSent ? cpuKindOf(sent.result.device) : null;
  return device === 'cpu' || (device === null && recordedResultOf(experiment) !== undefined) ? 'auto-plain' : 'auto';
}
