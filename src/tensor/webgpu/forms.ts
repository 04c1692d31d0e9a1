/** Text of `world_model/form.wgsl`, which is no file: made from the texts that the CPU's forms are made of. */
import { libraryFor } from '../../formula/wgsl/library';
import { tokenFunction } from '../../formula/wgsl/tokenFunction';
import { FORM_NUMBERS } from '../../hyperparameters/worldModel';
import { FORM_OUTPUTS, FORMS } from '../objective/worldModel/forms';
import { camel, shouted } from './constants';

const sources: Readonly<Record<string, string>> = {
  logp: 'logProb',
  old_logp: 'oldLogProb',
  ...Object.fromEntries(
    Object.entries(FORM_NUMBERS).map(([name, setting]) => [name, `hyperOf(p, HYPER_${shouted(setting)})`]),
  ),
};

const PARAMETERS = '(p: u32, logProb: f32, oldLogProb: f32) -> vec2f';
const functions = FORMS.map(({ form, loss }) =>
  tokenFunction(loss, { head: `${camel(form)}${PARAMETERS}`, returns: Object.values(FORM_OUTPUTS), sources }),
);
const cases = FORMS.map(({ form }, i) => {
  const selector = `WORLD_MODEL_FORM_${shouted(form)}${i === 0 ? ', default' : ''}`;
  return `    case ${selector}: { return ${camel(form)}(p, logProb, oldLogProb); }`;
});

export const FORM_WGSL = `// The world-model loss of one token before its weight, and its derivative by log-prob; a member chooses its form. Made
// by src/tensor/webgpu/forms.ts from the texts in src/hyperparameters/worldModel.ts.
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"

${libraryFor(functions.join(''))}

${functions.join('\n\n')}

fn formLoss(p: u32, logProb: f32, oldLogProb: f32) -> vec2f {
  switch (u32(hyperOf(p, HYPER_WORLD_MODEL_FORM))) {
${cases.join('\n')}
  }
}
`;
