/** Settings of examinations during training. They change no number of the training. */
import { integer } from '../../hyperparameters/setting';

const METRICS_LAYOUT = 'What was measured so far would have been measured otherwise, so training starts again.';

export const EVALUATION = {
  every: integer({
    label: 'Evaluation every',
    help: 'Updates between two examinations, always on the same tasks, held-out ones if there are any; 0: never.',
    default: 0,
    min: 0,
    max: 100_000,
    soft: [0, 100],
    restart: METRICS_LAYOUT,
  }),
  tasks: integer({
    label: 'Evaluation tasks',
    help: 'Tasks played each time, a whole group each; rounded up to whole batches.',
    default: 64,
    min: 1,
    max: 4096,
    soft: [1, 256],
    restart: METRICS_LAYOUT,
  }),
  toolEvery: integer({
    label: 'Tool examined every',
    help: 'Updates between two examinations of the tool, where there is one: success on practised and on new tasks while it works and while it does not, and whom the policy follows where it lies; 0: never.',
    default: 0,
    min: 0,
    max: 100_000,
    soft: [0, 100],
    restart: METRICS_LAYOUT,
  }),
} as const;
