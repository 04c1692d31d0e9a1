/** State of the page when another run comes on screen: one that begins, or an earlier one in its last state. */
import type { Experiment } from '../../experiment/experiment';
import { effectiveArms } from '../../experiment/timeline';
import { MetricHistory } from '../../measured/history';
import { type LabState, NO_RUN } from '../lab';
import type { RunLooks } from './looks';

/** Id of a run: 128 random bits, hexadecimal. */
export function drawId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** watched: seed and group of the run before, which are kept as far as this one has them. */
export function begunState(experiment: Experiment, watched: LabState['watched']): Partial<LabState> {
  const { seeds, batch } = experiment;
  const arms = effectiveArms(experiment, 0);
  return {
    ...NO_RUN,
    run: drawId(),
    running: experiment,
    edited: { ...experiment, arms },
    told: arms,
    phase: 'preparing',
    detail: 'starting the trainer',
    history: new MetricHistory(arms.length, seeds),
    notice: null,
    watched: { seed: Math.min(watched.seed, seeds - 1), group: Math.min(watched.group, batch.groups - 1) },
  };
}

/** Earlier run in its last state. It goes on only from kept policies: `keptUpdate`, null if there are none. */
export interface EarlierRun extends Pick<LabState, 'run' | 'keptUpdate' | 'machines'> {
  readonly experiment: Experiment;
  readonly history: MetricHistory;
  readonly looks: RunLooks;
}

export function leftState({ run, keptUpdate, experiment, history, machines, looks }: EarlierRun): Partial<LabState> {
  const arms = effectiveArms(experiment, history.count);
  const updates = history.count === 1 ? 'one update' : `${history.count} updates`;
  const policies =
    keptUpdate === null ? '. The policies were not kept, so running begins afresh.' : ', and the policies are kept.';
  return {
    run,
    keptUpdate,
    running: experiment,
    edited: { ...experiment, arms },
    problems: [],
    told: arms,
    phase: 'restored',
    update: history.count,
    history,
    machines,
    ...looks,
    notice: {
      kind: 'restored',
      text: `The curves of ${updates} and the settings are as you left them${policies}`,
      advice: '',
    },
  };
}
