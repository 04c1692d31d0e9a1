/**
 * An arm's whole loss as a sum of terms with its numbers put in, and the lines that say what its symbols mean. What does
 * not act is not written: a formula is read for what it does.
 */
import type { Environment } from '../../../environments/environment';
import { standingFor } from '../../../experiment/arm/ownLosses';
import { learnsFromReward } from '../../../experiment/arm/relevance';
import type { Arm } from '../../../experiment/experiment';
import {
  brackets,
  call,
  fraction,
  index,
  minus,
  type Notation,
  type NotationPart,
  negative,
  operator,
  over,
  plus,
  power,
  row,
  symbol,
  words,
} from '../../../foundation/notation';
import { DRAWN, ROLES, type Role } from '../../../foundation/roles';
import { aggregation } from '../../../hyperparameters/aggregation';
import { REGULARISATION } from '../../../hyperparameters/regularisation';
import { plural } from '../../kit/format';
import { advantageFormula } from './advantage';
import { replayRemark, replayTerm, tasksRemark } from './episodes';
import { addedTerms, linesOf, nameOf } from './own';
import { factor, formulaOf, logP, mean, PLURAL, type Term, weighted } from './shared';
import { surrogateFormula, surrogateRemarks, surrogateSymbols } from './surrogate';
import { worldModelRemarks, worldModelTerm } from './worldModel';

export interface NotedDefinition {
  readonly formula: Notation | null;
  readonly remark: string;
}

export interface LossNotation {
  readonly terms: readonly Term[];
  readonly definitions: readonly NotedDefinition[];
}

/** The operators in front of a token's loss that make one number of many. */
function aggregate(arm: Arm, tokens: string): readonly Notation[] {
  const formula = formulaOf(aggregation, arm, tokens);
  return formula?.kind === 'row' ? formula.parts : [];
}

function policyTerm(arm: Arm): Term | null {
  if (!learnsFromReward(arm)) return null;
  const { only, named } = weighted(arm.pg);
  const weight = only === undefined ? [symbol('w', 'w')] : factor(only);
  const own = standingFor(arm, 'policy');
  // The lab's own formulas are of what is maximised; a text is of what is minimised.
  const ofToken = own === undefined ? [surrogateFormula(arm)] : [nameOf(own)];
  const sign = own === undefined ? [negative] : [];
  const formula = row(...sign, ...factor(arm.lossScale), ...aggregate(arm, named), ...weight, ...ofToken);
  if (own !== undefined) return { id: 'policy', caption: named, learning: 'own', formula };
  return { id: 'policy', caption: named, learning: 'policy', formula };
}

/** Divergence from a teacher, over all words. */
function distance({ distillationDivergence }: Arm, teacher: string): Notation {
  const [own, other] = [symbol('p', 'p'), words(teacher)];
  if (distillationDivergence === 'jensen-shannon') return call('JS', own, other);
  return distillationDivergence === 'forward' ? call('KL', other, own) : call('KL', own, other);
}

function regularisers(arm: Arm): Term[] {
  const averaged = (weights: Arm['kl']) => aggregate(arm, weights.thought > 0 ? 'actions and thoughts' : 'actions');
  const terms: Term[] = [];
  const scale = factor(arm.lossScale);
  const add = (id: Term['id'], caption: string, formula: Notation) =>
    terms.push({ id, caption, learning: null, formula });
  if (arm.klCoefficient > 0) {
    const ratio = arm.klRatioWeighted ? [symbol('r', 'r')] : [];
    const estimate = formulaOf(REGULARISATION.klEstimator, arm) ?? words(arm.klEstimator);
    const inner = estimate.kind === 'symbol' ? estimate : brackets(estimate);
    const parts = byRole(arm.kl, arm.klCoefficient, [...scale, ...averaged(arm.kl)], plus, [...ratio, inner]);
    if (parts.length > 0) add('kl', 'KL to the reference', row(...parts));
  }
  if (arm.entropyCoefficient > 0) {
    const parts = byRole(arm.entropy, arm.entropyCoefficient, [...scale, ...averaged(arm.entropy)], minus, [
      symbol('H', 'H'),
    ]);
    if (parts.length > 0) add('entropy', 'entropy', row(...parts));
  }
  if (arm.positiveNll > 0 && learnsFromReward(arm)) {
    const averagedOver = over(mean, 'actions of successes');
    add('successes', 'imitation of successes', row(minus, ...factor(arm.positiveNll), averagedOver, logP));
  }
  if (arm.distillation > 0) {
    const averagedOver = over(mean, 'what was drawn');
    const teacher = arm.distillationTeacher === 'success' ? 'p after a success' : 'p of the reference';
    add('distillation', 'distillation', row(plus, ...factor(arm.distillation), averagedOver, distance(arm, teacher)));
  }
  if (arm.inverseDynamics > 0) {
    const averagedOver = over(mean, 'one turn an episode');
    const given = call('p', words('action | before, after'));
    const surprise = row(minus, ...factor(arm.inverseDynamics), averagedOver, symbol('log', 'log'), given);
    add('inverse', 'inverse dynamics', surprise);
  }
  if (arm.valueCoefficient > 0) {
    const square = power(row(operator('(', 'open bracket'), 'V', minus, 'G', operator(')', 'close bracket')), 2);
    add(
      'value',
      'critic',
      row(plus, ...scale, arm.valueCoefficient, ...aggregate(arm, 'actions'), fraction(1, 2), square),
    );
  }
  return terms;
}

/**
 * A regulariser on actions and thoughts, aggregated as the arm's losses are, and on other roles, where it is the mean over their
 * tokens. Thoughts with the actions' weight share their term.
 */
function byRole(
  weights: Readonly<Record<Role, number>>,
  coefficient: number,
  onDrawn: readonly NotationPart[],
  sign: Notation,
  inner: readonly Notation[],
): NotationPart[] {
  const isShared = weights.thought === weights.action;
  return ROLES.filter((role) => weights[role] > 0 && !(role === 'thought' && isShared)).flatMap((role) => {
    const indicator = role === 'thought' || (role === 'action' && weights.thought > 0 && !isShared);
    const averaged = DRAWN.includes(role) ? onDrawn : [over(mean, PLURAL[role])];
    const only = indicator ? [index('1', words(role))] : [];
    return [sign, Number((coefficient * weights[role]).toPrecision(6)), ...averaged, ...only, ...inner];
  });
}

/** Loss of an arm; `environment`: its world, null where that is not known. */
export function lossOf(arm: Arm, environment: Environment | null = null): LossNotation {
  const policy = policyTerm(arm);
  const worldModel = worldModelTerm(arm, policy === null);
  const replay = replayTerm(arm, policy === null && worldModel === null);
  const first = [policy, worldModel, replay, ...regularisers(arm)].filter((term) => term !== null);
  const terms = [...first, ...addedTerms(arm, first.length === 0)];
  const definitions: NotedDefinition[] = [];
  if (policy !== null) {
    if (standingFor(arm, 'policy') === undefined) definitions.push(...surrogateSymbols(arm));
    definitions.push(advantageFormula(arm, environment));
    const { only, each } = weighted(arm.pg);
    if (only === undefined) definitions.push({ formula: symbol('w', 'w'), remark: each });
    const remarks = standingFor(arm, 'policy') === undefined ? surrogateRemarks(arm) : [];
    if (remarks.length > 0) definitions.push({ formula: null, remark: `Policy gradient: ${remarks.join('; ')}` });
  }
  const { only, each, roles } = weighted(arm.ce);
  if (roles.length > 0 && only === undefined) definitions.push({ formula: symbol('λ', 'lambda'), remark: each });
  const remarks = worldModelRemarks(arm);
  if (worldModel !== null && remarks.length > 0) {
    definitions.push({ formula: null, remark: `Predicted: ${remarks.join('; ')}` });
  }
  if (replay !== null) definitions.push({ formula: null, remark: replayRemark(arm) });
  const tasks = terms.length === 0 ? null : tasksRemark(arm, environment);
  if (tasks !== null) definitions.push({ formula: null, remark: tasks });
  if (arm.klCoefficient > 0) {
    const d = row('d', operator('=', 'is'), logP, minus, symbol('log', 'log'), index('p', words('reference')));
    definitions.push({ formula: d, remark: arm.klStraightThrough ? 'its gradient is that of k2' : '' });
  }
  if (arm.valueCoefficient > 0 && arm.criticWarmUp > 0) {
    const remark = `Critic: in the first ${plural(arm.criticWarmUp, 'update')} its head alone learns, and no other term acts`;
    definitions.push({ formula: null, remark });
  }
  for (const loss of arm.losses) {
    definitions.push({ formula: null, remark: `${loss.name}, minimised, line by line:` });
    definitions.push(...linesOf(loss).map((formula) => ({ formula, remark: '' })));
  }
  return { terms, definitions };
}
