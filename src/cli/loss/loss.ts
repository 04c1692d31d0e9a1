/** `lab loss FILE`: the inputs, shown values and cost of a formula, or the same formula as PyTorch or as its kernels. */
import { basename } from 'node:path';
import { compile } from '../../formula/compile';
import { type FormulaSummary, type FurtherPass, sourceOf, summaryOf, TARGETS } from '../../formula/summary';
import { LabError } from '../../foundation/errors';
import { readFormula } from './lossFiles';

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
  const printed = target === undefined ? null : sourceOf(formula, target, basename(file).replace(/\.[^.]*$/, ''));
  const summary = summaryOf(formula);
  if (json) return `${JSON.stringify(printed === null ? summary : { target, source: printed })}\n`;
  return printed ?? lines(summary);
}

const PASSES: Readonly<Record<FurtherPass, string>> = {
  reference: 'reference (log-probs of the reference policy)',
  scoring: 'scoring before the first step (something is read that only it knows)',
  'scoring-each-step': 'scoring before each step (group or batch values read the policy in training)',
};

function lines({ reads, parameters, shown, levels, derivatives, passes, operations }: FormulaSummary): string {
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
