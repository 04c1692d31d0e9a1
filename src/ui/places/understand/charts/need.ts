/** The setting that a chart waits for: without it the experiment has nothing to draw there. */
import type { Experiment } from '../../../../experiment/experiment';
import { experimentSettings, findArmSetting } from '../../../../experiment/experiment';
import { type ChartDefinition, isOf } from '../../../model/charts/kinds/definition';
import {
  examinationCharts,
  textExaminationCharts,
  toolCharts,
  toolOffCharts,
} from '../../../model/charts/kinds/definitions';

export interface Need {
  readonly label: string;
  /** Place of the setting, after `#settings/`: an arm's stands under the first arm. */
  readonly name: string;
}

const isOfTool = ({ metric }: ChartDefinition): boolean => toolCharts.some((chart) => chart.metric === metric);

const isExamined = ({ metric }: ChartDefinition): boolean =>
  [...examinationCharts, ...toolOffCharts, ...textExaminationCharts].some((chart) => chart.metric === metric);

/** Need of a chart that is not drawn; null for one that is. */
export function needOf(definition: ChartDefinition, experiment: Experiment): Need | null {
  const path = pathOf(definition, experiment);
  if (path === null) return null;
  const ofArm = findArmSetting(path);
  const found = ofArm ?? experimentSettings.find((setting) => setting.path === path);
  if (found === undefined) throw new Error(`There is no setting ${path}.`);
  const [first] = experiment.arms;
  return { label: found.label, name: ofArm === undefined || first === undefined ? path : `${first.id}/${path}` };
}

function pathOf(definition: ChartDefinition, experiment: Experiment): string | null {
  if (!isOf(experiment, definition)) return definition.only;
  const { every, toolEvery } = experiment.evaluation;
  if (isOfTool(definition)) return toolEvery === 0 ? 'evaluation.toolEvery' : null;
  return isExamined(definition) && every === 0 ? 'evaluation.every' : null;
}
