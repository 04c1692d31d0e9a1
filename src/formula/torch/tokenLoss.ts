/**
 * A text as a Python function on PyTorch's tensors: the loss of each token, and the means of what it shows. What PyTorch's
 * autograd makes of it is what `differentiate` makes of the text: a tie's slope goes to the first, clip's is 1 within its
 * bounds, results of groups and batches are held fixed, and a branch that is not taken leaves no NaN. One thing is left
 * alone, as in PyTorch's own losses: exp is not guarded, so a log-ratio beyond 88 (float32) must be clipped before it.
 */
import type { Formula } from '../compile';
import type { Parameter } from '../syntax';
import { INPUTS, type InputName, reductionOf } from '../vocabulary';
import { literal, type TorchCode } from './code';
import { ExpressionPrinter } from './expression';
import { HELPER_NAMES, type Helper, helperSource } from './helpers';
import { INDICES, withNeeds } from './indices';
import { sourceLines } from './source';

export interface TorchTokenLoss {
  /** Helpers and the function, without imports. */
  readonly source: string;
  /**
   * Tensors that the function takes behind `own`, in order: inputs, and `turn` or `group` where the text reduces over
   * these.
   */
  readonly takes: readonly Taken[];
  /** Group or batch within which trajectories are compared, undefined where each is alone. */
  readonly compares: 'group' | 'batch' | undefined;
  /** Parameters by the names they have in Python. */
  readonly parameters: readonly { readonly name: string; readonly parameter: Parameter }[];
}

export type Taken = InputName | 'group';

/** Words of Python that the language does not know, and what the function names itself. */
const TAKEN = [
  ...'False None True as assert async await break class continue def del elif except finally for from global import is'.split(
    ' ',
  ),
  ...'lambda nonlocal pass raise return try while with yield float int len list next range sum abs min max'.split(' '),
  ...'torch math own shown group groups begins losses token_loss inputs LossInputs LossOutputs'.split(' '),
  ...Object.keys(INDICES),
  ...HELPER_NAMES,
];

/** more: helpers that the caller uses. */
export function tokenLossOf(formula: Formula, more: readonly Helper[] = []): TorchTokenLoss {
  const { program, nodes, text } = formula;
  const names = pythonNames(formula);
  const nameOf = (name: string): string => names.get(name) as string;
  // A gate that only keeps out tokens without a weight is left out: projects hand over no such tokens.
  const isGated = nodes.some(({ op, args: [adjoint] }) => op === 'gated' && adjoint?.gated === 'branch');
  const printer = new ExpressionPrinter(program, names, isGated);
  const body: string[] = [];
  const notes = new Map<string, string>();
  for (const line of sourceLines(text, program.statements)) {
    if (line.kind === 'empty') body.push('');
    else if (line.kind === 'comment') body.push(`# ${line.comment}`.trim());
    else if (line.statement.kind === 'param') notes.set(line.statement.name, line.comment);
    else {
      const { kind, name, expression } = line.statement;
      const code = printer.print(expression);
      const comment = line.comment === '' ? '' : `  # ${line.comment}`;
      if (kind === 'show') body.push(`shown["${name}"] = ${printer.mean(code)}${comment}`);
      else body.push(`${nameOf(name)} = ${code.text}${comment}`);
      if (kind === 'definition' && code.isCondition) printer.rememberCondition(name);
    }
  }
  const lossCode: TorchCode = {
    text: nameOf('loss'),
    binds: Number.POSITIVE_INFINITY,
    level: formula.loss.level,
    isCondition: printer.isCondition('loss'),
  };
  const result = printer.atTokens(lossCode);
  const reads = namesRead(formula);
  const indices = withNeeds([...printer.indices, ...(reads.has('turn') ? (['turn'] as const) : [])]);
  const usesTurns = indices.includes('turn_of_token');
  const perTurn = [...reads].filter((name) => INPUTS[name].level === 'turn' && name !== 'turn');
  const takes: Taken[] = (Object.keys(INPUTS) as InputName[]).filter(
    (name) => name === 'logp' || reads.has(name) || (name === 'turn' && (usesTurns || perTurn.length > 0)),
  );
  if (indices.includes('groups')) takes.push('group');
  const written = withNeeds([...indices, ...(perTurn.length > 0 ? (['turn_of_token'] as const) : [])]);
  const shows = formula.shown.length > 0;
  const lines = [
    `"""${docstring(formula, takes)}"""`,
    ...written
      .slice(0, 1)
      .filter((one) => one === 'trajectory_of_token')
      .map((one) => INDICES[one]),
    ...takes
      .filter((name) => isTaken(name, 'token'))
      .map((name) => `${argument(formula, name)} = ${argument(formula, name)}[own]${cast(name)}`),
    ...written.filter((one) => one !== 'trajectory_of_token').flatMap((one) => INDICES[one].split('\n')),
    ...perTurn.map((name) => `${name} = ${name}[own][begins]${cast(name)}`),
    ...takes.filter((name) => isTaken(name, 'trajectory')).map((name) => `${name} = ${name}${cast(name)}`),
    ...bothNames(formula),
    ...(shows ? ['shown = {}'] : []),
    '',
    ...trimmed(body),
    '',
    'losses = torch.zeros(own.shape, dtype=logp.dtype, device=own.device)',
    `losses[own] = ${result}`,
    `return losses, ${shows ? 'shown' : '{}'}`,
  ];
  const parameters = formula.parameters.map((parameter) => ({ name: nameOf(parameter.name), parameter }));
  const signature = [
    `own, ${takes.map((name) => argument(formula, name)).join(', ')}`,
    ...parameters.map(({ name, parameter }) => `${name}=${literal(parameter.default)}`),
  ];
  const head = `def token_loss(${signature.join(', ')}):`;
  const limits = parameters.map(({ name, parameter }) => {
    const note = notes.get(parameter.name);
    return `# ${name}: ${parameter.min} to ${parameter.max}${note === undefined || note === '' ? '' : `; ${note}`}`;
  });
  const source = [
    helperSource([...printer.helpers, ...more]),
    `\n${[...limits, head, ...lines.map((line) => (line === '' ? '' : `    ${line}`))].join('\n')}\n`,
  ].join('');
  return { source, takes, compares: comparedWithin(formula), parameters };
}

/** Inputs that a caller may have as whole numbers. */
const COUNTED: readonly Taken[] =
  'position is_action is_thought is_observation turn_reward reward success turns valid'.split(' ') as Taken[];
const cast = (name: Taken): string => (COUNTED.includes(name) ? '.to(logp.dtype)' : '');

const isTaken = (name: Taken, level: string): boolean => name !== 'group' && INPUTS[name].level === level;

/** Group or batch that a formula reduces over; undefined where it stays within a trajectory. */
export function comparedWithin({ program }: Formula): TorchTokenLoss['compares'] {
  const targets = [...program.nodes.keys()].map((one) => (one.kind === 'call' ? reductionOf(one.name)?.to : undefined));
  return targets.find((to) => to === 'group' || to === 'batch') as TorchTokenLoss['compares'];
}

/** Inputs that a line of the text reads, needed for the loss or not. */
export function namesRead({ program }: Formula): ReadonlySet<InputName> {
  const read = [...program.nodes.values()].flatMap((node) =>
    node.op === 'input' && node.name !== 'weight' && node.name !== 'index' ? [node.name] : [],
  );
  return new Set(read);
}

/** Argument of a name; `A` is printed where the text says so. */
const argument = (formula: Formula, name: Taken): string =>
  name === 'advantage' && readsName(formula, 'A') ? 'A' : name;

const readsName = ({ program }: Formula, name: string): boolean =>
  [...program.nodes.keys()].some((expression) => expression.kind === 'name' && expression.name === name);

const bothNames = (formula: Formula): readonly string[] =>
  readsName(formula, 'A') && readsName(formula, 'advantage') ? ['advantage = A'] : [];

/** A name that Python and the printed file do not know yet: this one, or with a line behind it. */
export const freeInPython = (name: string): string => (TAKEN.includes(name) ? freeInPython(`${name}_`) : name);

/** Python's name of each of the text's: one that is taken there gets a line behind it. */
function pythonNames({ program }: Formula): ReadonlyMap<string, string> {
  const typed = program.statements.filter(({ kind }) => kind !== 'show').map(({ name }) => name);
  const names = new Map<string, string>();
  for (const name of typed) {
    let own = freeInPython(name);
    while (own !== name && typed.includes(own)) own = freeInPython(`${own}_`);
    names.set(name, own);
  }
  return names;
}

function docstring(formula: Formula, takes: readonly Taken[]): string {
  const by = (level: string): string[] =>
    takes.filter((name) => isTaken(name, level)).map((name) => argument(formula, name));
  const perTrajectory = [...by('trajectory'), ...(takes.includes('group') ? ['group'] : [])];
  return [
    'Loss of each token, [B, T], 0 off the formula’s own; and means of what is shown over them.\n',
    '    own: the formula’s tokens, [B, T] of bools; a row is a trajectory. By token too: ',
    [...by('token'), ...by('turn')].join(', '),
    perTrajectory.length === 0 ? '.' : `.\n    By trajectory, [B]: ${perTrajectory.join(', ')}.`,
    takes.includes('turn') ? '\n    turn: numbers of the turns, from 0.' : '',
    takes.includes('group') ? '\n    group: which trajectories are compared, any whole numbers.' : '',
    by('constant').length === 0 ? '' : `\n    Numbers of the run: ${by('constant').join(', ')}.`,
    '\n    ',
  ].join('');
}

/** Lines without empty ones at the ends or in a row. */
function trimmed(lines: readonly string[]): readonly string[] {
  const kept = lines.filter((line, i) => line !== '' || (i > 0 && lines[i - 1] !== ''));
  while (kept[0] === '') kept.shift();
  while (kept.at(-1) === '') kept.pop();
  return kept;
}
