/** `lab list`: presets, environments, objectives, and the built-in losses as formulas. */
import { environments } from '../environments/registry';
import { policyText, predictionText } from '../experiment/arm/formulaTexts';
import { learnsByPrediction, learnsFromReward } from '../experiment/arm/relevance';
import { ENTROPY_TEXT, klText } from '../experiment/arm/roleRegularisers';
import { type Arm, defaultArm, withArmSetting } from '../experiment/experiment';
import { aboutObjective } from '../experiment/objectives/objectiveAbout';
import { objectivePresets, withObjective } from '../experiment/objectives/objectivePresets';
import { presets } from '../experiment/presets/presets';
import { REGULARISATION } from '../hyperparameters/regularisation';
import { print } from './output';

/** A text, and which objectives, or KL estimators, it is of. */
interface ListedFormula {
  readonly of: 'policy' | 'prediction' | 'KL' | 'entropy';
  readonly text: string;
  readonly ids: readonly string[];
}

export const listCommand =
  ({ json }: { json: boolean }): (() => number) =>
  () => {
    tell(json);
    return 0;
  };

function tell(json: boolean): void {
  const listed = {
    presets: presets.map(({ id, experiment }) => ({ id, title: experiment.title })),
    environments: Object.values(environments).map(({ id, title }) => ({ id, title })),
    objectives: objectivePresets.map(({ id, title }) => ({ id, title: `${title} (${aboutObjective(id).citation})` })),
  };
  const formulas = builtInFormulas();
  if (json) {
    print(`${JSON.stringify({ ...listed, formulas })}\n`);
    return;
  }
  for (const [kind, entries] of Object.entries(listed)) {
    print(`${kind}\n`);
    for (const { id, title } of entries) print(`  ${id.padEnd(26)} ${title}\n`);
  }
  print('formulas\n');
  for (const { of, text, ids } of formulas) {
    const lines = text.split('\n').map((line) => `    ${line}\n`);
    print(`  ${of}${ids.length === 0 ? '' : ` of ${ids.join(', ')}`}\n${lines.join('')}`);
  }
}

/** Formulas of the lab; equal texts are listed once. */
function builtInFormulas(): readonly ListedFormula[] {
  const usual = defaultArm('arm', 'Arm');
  const arms = objectivePresets.map((preset) => [preset.id, withObjective(usual, preset)] as const);
  const texts = (of: ListedFormula['of'], some: readonly (readonly [string, Arm])[], textOf: (arm: Arm) => string) =>
    [...new Set(some.map(([, arm]) => textOf(arm)))].map((text) => ({
      of,
      text,
      ids: some.filter(([, arm]) => textOf(arm) === text).map(([id]) => id),
    }));
  const estimators = REGULARISATION.klEstimator.choices.map(
    (estimator) => [estimator, withArmSetting(usual, 'klEstimator', estimator)] as const,
  );
  return [
    ...texts(
      'policy',
      arms.filter(([, arm]) => learnsFromReward(arm)),
      policyText,
    ),
    ...texts(
      'prediction',
      arms.filter(([, arm]) => learnsByPrediction(arm)),
      predictionText,
    ),
    ...texts('KL', estimators, klText),
    { of: 'entropy', text: ENTROPY_TEXT, ids: [] },
  ];
}
