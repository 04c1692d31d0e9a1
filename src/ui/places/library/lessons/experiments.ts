/** Experiments of lessons: a grid of 4×4 and policies of a few thousand parameters, so that two cores answer in a minute. */
import { type Arm, defaultArm, type Experiment } from '../../../../experiment/experiment';
import { findPreset } from '../../../../experiment/presets/presets';
import { type LessonId, lessonTitles } from './titles';

function tiny(): Experiment {
  const preset = findPreset('gridworld-tiny');
  if (preset === undefined) throw new Error('The smallest preset is gone.');
  return preset.experiment;
}

/** The tiny grid under the lesson’s title. */
export function lessonExperiment(
  id: LessonId,
  differences: Partial<Experiment> & Pick<Experiment, 'arms' | 'updates'>,
): Experiment {
  return { ...tiny(), ...differences, title: `Lesson: ${lessonTitles[id].toLowerCase()}` };
}

/** An arm that learns from actions alone. */
export const maskedArm = (id: string, name: string, settings: Partial<Arm> = {}): Arm => ({
  ...defaultArm(id, name),
  ...settings,
});

/** Arm that also predicts observations, with this weight. */
export function predictingArm(id: string, name: string, weight: number, settings: Partial<Arm> = {}): Arm {
  const arm = maskedArm(id, name, settings);
  return { ...arm, objective: 'world-model', ce: { ...arm.ce, observation: weight } };
}
