/** Trajectories of one task, in every arm, asked of the trainer one after another. */
import { LabError } from '../../foundation/errors';
import type { Inspection, InspectionChoice } from '../../train/looks/shown';
import type { LabState, LabStore } from '../lab';
import type { Requests } from '../run/requests';

/** Phases in which the trainer has trajectories. */
const ANSWERING: readonly LabState['phase'][] = ['running', 'paused', 'diverged', 'finished'];

export const hasTrajectories = ({ phase, update }: Pick<LabState, 'phase' | 'update'>): boolean =>
  update > 0 && ANSWERING.includes(phase);

/** Trajectories of a group. If the run goes on meanwhile, each is of the newest batch. Throws LabError if the run ends. */
export async function* trajectoriesOf(
  store: LabStore,
  requests: Requests,
  { seed, group }: Omit<InspectionChoice, 'trajectory'>,
): AsyncGenerator<Inspection> {
  const groupSize = store.getState().running?.batch.groupSize ?? 0;
  for (let trajectory = 0; trajectory < groupSize; trajectory++) {
    yield* await inspect(store, requests, { seed, group, trajectory });
  }
}

function inspect(store: LabStore, requests: Requests, choice: InspectionChoice): Promise<readonly Inspection[]> {
  const { history } = store.getState();
  return new Promise((resolve, reject) => {
    const stop = store.subscribe((now, before) => {
      const gone = now.history !== history || !ANSWERING.includes(now.phase);
      const answer = now.inspected !== before.inspected ? now.inspected : null;
      if (!gone && (answer === null || JSON.stringify(answer.choice) !== JSON.stringify(choice))) return;
      stop();
      if (gone || answer === null) reject(new LabError('internal', 'The run ended meanwhile.', 'Run it again.'));
      else resolve(answer.inspections);
    });
    requests.inspect(choice);
  });
}
