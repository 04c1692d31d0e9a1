/**
 * A text as the loss of another project: the function of `tokenLoss.ts` and a few lines that register it there, with that
 * project's mask and aggregation. What a project does not hand to a loss cannot be printed for it: a LabError says so.
 */
import { LabError } from '../../foundation/errors';
import type { Formula } from '../compile';
import type { InputName } from '../vocabulary';
import { HELP } from '../vocabularyHelp';
import { isProportionalToAdvantage } from './proportional';
import { comparedWithin, namesRead, type Taken, type TorchTokenLoss, tokenLossOf } from './tokenLoss';
import { WRAPPERS } from './wrappers';

export const TORCH_TARGETS = ['torch', 'verl', 'skyrl', 'prime-rl', 'trl', 'openrlhf'] as const;
export type TorchTarget = (typeof TORCH_TARGETS)[number];

export interface Project {
  readonly title: string;
  /** Source that the wrapper was written from: repository, version, commit and its date, file. */
  readonly source: string;
  /** Notes for the header: how the printed file is used, and what differs from the lab. */
  readonly notes: readonly string[];
  /** True where a loss sees whole groups and batches, or refuses to run. */
  readonly isWhole?: boolean;
  /** The same project by a hook that hands over more, for a formula that needs it. */
  readonly outer?: Project;
  /** Python for each input that the project hands over; one that is missing cannot be read. */
  readonly inputs: Partial<Readonly<Record<Taken, string>>>;
  readonly imports: (reads: ReadonlySet<InputName>) => readonly string[];
  /** The wrapper, behind the function. name: what it is registered as. given: the arguments of token_loss. */
  readonly wrapper: (name: string, given: string, loss: TorchTokenLoss, reads: ReadonlySet<InputName>) => string;
}

/** Python's source; name: what the loss is called in the project, letters, digits and underscores. */
export function torchOf(formula: Formula, target: TorchTarget, name = 'own_loss'): string {
  const reads = namesRead(formula);
  if (target === 'torch') return written(['The loss of a formula, token by token.'], [], tokenLossOf(formula).source);
  const inner = WRAPPERS[target];
  const project = missingIn(formula, inner, reads) === null ? inner : (inner.outer ?? inner);
  const missing = missingIn(formula, project, reads);
  if (missing !== null) throw missing;
  if (target === 'skyrl' && !isProportionalToAdvantage(formula.loss)) {
    const what = 'SkyRL averages by scaling the advantages beforehand, and this loss is not proportional to A.';
    throw new LabError('unsupported', what, 'Take parts without A out and use SkyRL’s own terms for KL and entropy.');
  }
  const { takes } = tokenLossOf(formula);
  const used = takes.map((taken) => project.inputs[taken] ?? '').join(' ');
  const loss = tokenLossOf(
    formula,
    (['turns_of', 'turn_sums'] as const).filter((one) => used.includes(`${one}(`)),
  );
  const given = takes.map((taken) => project.inputs[taken] as string);
  const wrapper = project.wrapper(name, ['own', ...given].join(', '), loss, reads);
  const header = [
    `A formula’s loss for ${project.title}. Written for ${project.source}.`,
    ...project.notes,
    ...(reads.has('position') && target !== 'prime-rl'
      ? ['Positions are counted from the first token behind the prompt.']
      : []),
    'A turn is a run of own tokens; a trajectory is a row, also where the trainer cuts an episode into several.',
  ];
  return written(header, project.imports(reads), `${loss.source}\n\n${wrapper}`);
}

function written(header: readonly string[], imports: readonly string[], source: string): string {
  const modules = source.includes('math.') ? ['math', 'torch'] : ['torch'];
  const comment = header.map((line) => `# ${line}`).join('\n');
  const first = [...modules.map((one) => `import ${one}`), ...imports].join('\n');
  return `${comment}\n${first}\n\n${source}`;
}

/** Reason why a formula cannot be printed for a project; null where it can. */
function missingIn(
  formula: Formula,
  { title, inputs, isWhole }: Project,
  reads: ReadonlySet<InputName>,
): LabError | null {
  for (const name of reads) {
    if (inputs[name] !== undefined) continue;
    const what = `${title} hands no ${name} to a loss: ${HELP[name]}`;
    return new LabError('unsupported', what, 'Leave it out, or print the plain function with --to torch.');
  }
  const compares = comparedWithin(formula);
  if (isWhole === true || compares === undefined) return null;
  const what = `${title} hands a part of the batch to a loss, without group ids: nothing can be reduced over the ${compares}.`;
  const advice =
    'Compute it where the project computes advantages, and read A; or print the plain function with --to torch.';
  return new LabError('unsupported', what, advice);
}
