/** `lab run --trajectories FILE`: every trajectory that the last update learned from, of every member. */
import { findEnvironment } from '../environments/registry';
import { composeVocabulary } from '../environments/vocabulary';
import type { Experiment } from '../experiment/experiment';
import { trajectoryLine } from '../experiment/trajectoryRecord';
import { LabError } from '../foundation/errors';
import type { Training } from '../train/population/training';
import { writeOutput } from './disk';

/** Writes a file with one line a trajectory (docs/trajectories.md). Throws LabError if no update was trained here. */
export async function writeTrajectories(path: string, training: Training, experiment: Experiment): Promise<void> {
  await writeOutput(path, linesOf(training, experiment));
}

async function* linesOf(training: Training, { batch, environment }: Experiment): AsyncGenerator<string> {
  const { words } = composeVocabulary([findEnvironment(environment.id)?.create(environment.settings).words ?? []]);
  for (const seed of new Set(training.members.map((member) => member.seed))) {
    for (let group = 0; group < batch.groups; group++) {
      for (let trajectory = 0; trajectory < batch.groupSize; trajectory++) {
        const inspected = await training.inspect({ seed, group, trajectory });
        if (inspected === null) throw nothingLearned();
        yield inspected.map((one) => `${trajectoryLine(one, words, environment.id)}\n`).join('');
      }
    }
  }
}

const nothingLearned = (): LabError =>
  new LabError(
    'invalid-experiment',
    'No update has been trained here, so there are no trajectories to write.',
    'Give --updates more than were finished.',
  );
