/** Summary of a formula for people and programs: its inputs, shown values and cost, and the same formula as another program. */
import type { Formula } from './compile';
import { TORCH_TARGETS, torchOf } from './torch/targets';
import { freeInPython } from './torch/tokenLoss';
import { wgslModule } from './wgsl/module';

/** Programs that a formula is printed as: kernels of the lab, or PyTorch for a trainer. */
export const TARGETS = [...TORCH_TARGETS, 'wgsl'] as const;
export type Target = (typeof TARGETS)[number];

/** Passes of an update beside those of every update. */
export type FurtherPass = 'reference' | 'scoring' | 'scoring-each-step';

export interface FormulaSummary {
  /** Inputs of the loss and of the shown values. */
  readonly reads: readonly string[];
  readonly parameters: readonly { name: string; default: number; min: number; max: number }[];
  readonly shown: readonly string[];
  /** Each defined or shown name, with the level of its value. */
  readonly levels: readonly { name: string; level: string }[];
  /** Outputs of the policy by which the loss has a derivative that is not 0 everywhere. */
  readonly derivatives: readonly string[];
  readonly passes: readonly FurtherPass[];
  /** Operations after equal ones are shared, derivatives included. */
  readonly operations: number;
}

export function summaryOf(formula: Formula): FormulaSummary {
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

/** The formula as a program. `name`: the loss's name there. */
export function sourceOf(formula: Formula, target: Target, name: string): string {
  if (target !== 'wgsl') return torchOf(formula, target, pythonName(name));
  const kinds = formula.schedule.held.length > 0 ? (['held', 'objective'] as const) : (['objective'] as const);
  return kinds.map((kind) => wgslModule(formula, kind, { commented: true })).join('\n');
}

/** A name as one of Python's: a letter first, then letters, digits and underscores. */
function pythonName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return freeInPython((/^[A-Za-z]/.test(plain) ? plain : `loss_${plain}`).slice(0, 40));
}
