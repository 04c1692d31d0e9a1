/** `lab loss FILE`: what a formula reads, shows and costs, or the same formula as PyTorch or as the kernels it runs as. */
import { basename } from 'node:path';
import { compile, type Formula } from '../../formula/compile';
import { TORCH_TARGETS, torchOf } from '../../formula/torch/targets';
import { freeInPython } from '../../formula/torch/tokenLoss';
import { wgslModule } from '../../formula/wgsl/module';
import { LabError } from '../../foundation/errors';
import { readFormula } from './lossFiles';

const TARGETS = [...TORCH_TARGETS, 'wgsl'] as const;

export interface LossOptions {
  readonly to?: string | undefined;
  readonly json: boolean;
}

/** The text for stdout. Throws LabError. */
export async function lossCommand(file: string | undefined, { to, json }: LossOptions): Promise<string> {
  if (file === undefined) throw new LabError('invalid-formula', 'No file was named.', 'Name one that holds a formula.');
  const target = TARGETS.find((one) => one === to);
  if (to !== undefined && target === undefined) {
    const what = `A formula cannot be printed for “${to.slice(0, 40)}”.`;
    throw new LabError('unsupported', what, `Choose one of: ${TARGETS.join(', ')}.`);
  }
  const formula = compile(await readFormula(file));
  const printed = target === undefined ? null : sourceOf(formula, target, file);
  const told = summary(formula);
  if (json) return `${JSON.stringify(printed === null ? told : { target, source: printed })}\n`;
  return printed ?? lines(told);
}

function sourceOf(formula: Formula, target: (typeof TARGETS)[number], file: string): string {
  if (target !== 'wgsl') return torchOf(formula, target, pythonName(file));
  const kinds = formula.schedule.held.length > 0 ? (['held', 'objective'] as const) : (['objective'] as const);
  return kinds.map((kind) => wgslModule(formula, kind, { commented: true })).join('\n');
}

interface Summary {
  /** Inputs of the loss and of what is shown. */
  readonly reads: readonly string[];
  readonly parameters: readonly { name: string; default: number; min: number; max: number }[];
  readonly shown: readonly string[];
  /** Each defined or shown name, with the level of its value. */
  readonly levels: readonly { name: string; level: string }[];
  /** Outputs of the policy by which the loss has a derivative that is not 0 everywhere. */
  readonly derivatives: readonly string[];
  /** Passes beside those of every update. */
  readonly passes: readonly (keyof typeof PASSES)[];
  /** After equal ones are shared, derivatives included. */
  readonly operations: number;
}

function summary(formula: Formula): Summary {
  const { program, parameters, shown, nodes, reads, needsScores, heldEachStep, byLogProb, byEntropy } = formula;
  const isZero = ({ op }: Formula['loss']): boolean => op === 'constant';
  return {
    reads: [...reads].sort(),
    parameters: parameters.map(({ name, default: value, min, max }) => ({ name, default: value, min, max })),
    shown: shown.map(({ name }) => name),
    levels: program.named.map(({ name, node }) => ({ name, level: node.level })),
    derivatives: [...(isZero(byLogProb) ? [] : ['logp']), ...(isZero(byEntropy) ? [] : ['entropy'])],
    passes: [
      ...(reads.has('ref_logp') ? (['reference'] as const) : []),
      ...(heldEachStep ? (['scoring-each-step'] as const) : needsScores ? (['scoring'] as const) : []),
    ],
    operations: nodes.filter(({ op }) => op !== 'constant' && op !== 'param' && op !== 'input').length,
  };
}

const PASSES = {
  reference: 'reference (log-probs of the reference policy)',
  scoring: 'scoring before the first step (something is read that only it knows)',
  'scoring-each-step': 'scoring before each step (group or batch values read the policy in training)',
};

function lines({ reads, parameters, shown, levels, derivatives, passes, operations }: Summary): string {
  const list = (of: readonly string[]): string => (of.length === 0 ? 'nothing' : of.join(', '));
  return [
    `reads        ${list(reads)}`,
    `parameters   ${list(parameters.map((one) => `${one.name} = ${one.default} in [${one.min}, ${one.max}]`))}`,
    `shows        ${list(shown)}`,
    `levels       ${list(levels.map(({ name, level }) => `${name}: ${level}`))}`,
    `derivatives  ${list(derivatives.map((name) => `by ${name}`))}`,
    `more passes  ${list(passes.map((pass) => PASSES[pass]))}`,
    `operations   ${operations}, with derivatives`,
    '',
  ].join('\n');
}

/** The file's name as one of Python's: a letter first, then letters, digits and underscores. */
function pythonName(file: string): string {
  const plain = basename(file)
    .replace(/\.[^.]*$/, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return freeInPython((/^[A-Za-z]/.test(plain) ? plain : `loss_${plain}`).slice(0, 40));
}
