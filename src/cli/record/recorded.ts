/** Results of presets that come with the lab, all measured on the plain CPU backend. */
import { existsSync } from 'node:fs';
import type { Experiment } from '../../experiment/experiment';
import { isAsPublished } from '../../experiment/presets/published';

export const RECORDED = 'src/store/recorded';

/** True for a preset of which a result comes with the lab. */
export const isRecorded = (experiment: Experiment): boolean =>
  isAsPublished(experiment) && existsSync(`${RECORDED}/${experiment.preset}.json`);
