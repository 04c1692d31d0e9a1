/** `lab run --trajectories FILE`: every trajectory that the last update learned from, of every member. */
import { open } from 'node:fs/promises';
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary } from '../../environments/vocabulary';
import type { Experiment } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { trajectoryLine } from '../../measured/trajectoryRecord';
import type { Training } from '../../train/population/training';
import { diskError, writeOutput } from '../disk';
import { guardOutput, type OutputKind } from '../guardOutput';

/** The fields with which every line begins (trajectoryRecord.ts). */
const START = '{"task_prompt":';

/** Files of `--trajectories`, told by how they begin. */
export const TRAJECTORIES: OutputKind = {
  name: 'a file of trajectories',
  async isOne(path) {
    try {
      const file = await open(path, 'r');
      try {
        const { buffer } = await file.read({ buffer: Buffer.alloc(START.length) });
        return buffer.toString('latin1') === START;
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw diskError(path, cause);
    }
  },
};

/**
 * Writes a file with one line a trajectory (docs/trajectories.md). Throws LabError if no update was trained here, or if a file of
 * another kind has come there meanwhile.
 */
export async function writeTrajectories(path: string, training: Training, experiment: Experiment): Promise<void> {
  await guardOutput(path, [], TRAJECTORIES);
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
