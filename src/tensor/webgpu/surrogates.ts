/** Text of `policy_objective/surrogate.wgsl`, which is no file: made from the texts that the CPU's surrogates are made of. */
import { libraryFor } from '../../formula/wgsl/library';
import { tokenFunction } from '../../formula/wgsl/tokenFunction';
import { SURROGATE_NUMBERS } from '../../hyperparameters/surrogateTexts';
import { SURROGATE_OUTPUTS, SURROGATES, type SurrogateProgram, surrogateLoss } from '../objective/policy/surrogates';
import { camel, shouted } from './constants';

const HEAD = `// Surrogates: the loss of one token, its derivatives and the bounds that act, in one function each; a member chooses
// one. Made by src/tensor/webgpu/surrogates.ts from the texts in src/hyperparameters/surrogateTexts.ts.
// #include "policy_objective/ratio.wgsl"

struct SurrogateToken {
  logRatio: f32, // of the segment, x
  ratio: f32, // exp of x within its bounds
  logProb: f32,
  baseLogProb: f32, // in the ratio's denominator
  advantage: f32,
  selection: f32, // 0 dropped, 1 as usual, 2 with kl-cov's penalty
}

struct Surrogate {
  loss: f32,
  byLogProb: f32, // ∂loss/∂(log-prob of the token itself), the ratio held fixed
  byLogRatio: f32, // ∂loss/∂x, the ratio held fixed
  byRatio: f32, // ∂loss/∂ratio; of surrogateAt the whole ∂loss/∂x
  ratio: f32, // factor of the advantage, before any bound
  below: f32, // bounds: 0 or 1
  above: f32,
  clipped: f32,
  dual: f32,
}`;

const SOURCES: Readonly<Record<string, string>> = {
  log_ratio: 'token.logRatio',
  ratio: 'token.ratio',
  logp: 'token.logProb',
  old_logp: 'token.baseLogProb',
  advantage: 'token.advantage',
  selection: 'token.selection',
  ...Object.fromEntries(
    Object.entries(SURROGATE_NUMBERS).map(([name, number]) => {
      const value = `hyperOf(p, HYPER_${shouted(number.name)})`;
      return [name, 'zero' in number ? `orElse(${value}, ${number.zero})` : value];
    }),
  ),
};

const nameOf = ({ surrogate, instead }: SurrogateProgram): string =>
  camel(instead === null ? surrogate : `${surrogate}-${instead.choice}`);

function functionOf(program: SurrogateProgram): string {
  const head = `${nameOf(program)}(p: u32, token: SurrogateToken) -> Surrogate`;
  const returns = Object.values(SURROGATE_OUTPUTS);
  return tokenFunction(surrogateLoss(program), { head, returns, sources: SOURCES });
}

function caseOf(program: SurrogateProgram): string {
  const { surrogate } = program;
  const instead = SURROGATES.find((one) => one.surrogate === surrogate && one.instead !== null);
  const selector = `SURROGATE_${shouted(surrogate)}${surrogate === 'ppo' ? ', default' : ''}`;
  const plain = `return ${nameOf(program)}(p, token);`;
  if (instead?.instead == null) return `    case ${selector}: { ${plain} }`;
  const { setting, choice } = instead.instead;
  const holds = `choiceOf(p, HYPER_${shouted(setting)}) == ${shouted(setting)}_${shouted(choice)}`;
  return `    case ${selector}: {
      if (${holds}) { return ${nameOf(instead)}(p, token); }
      ${plain}
    }`;
}

function text(): string {
  const functions = SURROGATES.map(functionOf).join('\n\n');
  const cases = SURROGATES.filter(({ instead }) => instead === null).map(caseOf);
  return `${HEAD}

${libraryFor(functions)}

${functions}

fn chosenSurrogate(p: u32, token: SurrogateToken) -> Surrogate {
  switch (choiceOf(p, HYPER_SURROGATE)) {
${cases.join('\n')}
  }
}

fn surrogateAt(p: u32, logRatio: f32, logProb: f32, baseLogProb: f32, advantage: f32, selection: f32) -> Surrogate {
  let given = ratioOf(p, logRatio);
  var own = chosenSurrogate(p, SurrogateToken(logRatio, given.x, logProb, baseLogProb, advantage, selection));
  own.byRatio = own.byLogRatio + own.byRatio * given.x * given.y;
  return own;
}
`;
}

export const SURROGATE_WGSL = text();
