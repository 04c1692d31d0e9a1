/**
 * Backend to ask the trainer for. For the CPU, “automatic” takes the variant with fused multiply-add where there is
 * one, but not beside a result that was measured without: only the plain CPU gives that result's last digits again.
 * Between GPU and CPU a result that a link or a file brought decides, else a race, also for presets with a recorded
 * result.
 */
import type { Experiment } from '../../experiment/experiment';
import { cpuKindOf } from '../../foundation/cpuVariants';
import type { Sent } from '../../measured/sentResult';
import type { BackendChoice } from '../../train/protocol';
import { recordedResultOf } from '../recorded/recordings';

/** The result that this experiment was sent with; null if there is none. */
const resultWith = (experiment: Experiment, sent: Sent | null): Sent | null =>
  sent !== null && JSON.stringify(sent.experiment) === JSON.stringify(experiment) ? sent : null;

/** Side that a result which was sent names; null where there is none. */
export function sideOf(experiment: Experiment, sent: Sent | null): 'gpu' | 'cpu' | null {
  const result = resultWith(experiment, sent);
  if (result === null || result.from === 'recording') return null;
  return cpuKindOf(result.result.device) === null ? 'gpu' : 'cpu';
}

export function backendFor(choice: BackendChoice, experiment: Experiment, sent: Sent | null): BackendChoice {
  if (choice !== 'auto') return choice;
  const result = resultWith(experiment, sent);
  const device = result === null ? null : cpuKindOf(result.result.device);
  return device === 'cpu' || (device === null && recordedResultOf(experiment) !== undefined) ? 'auto-plain' : 'auto';
}
