/** A user's loss at one token of the inspected trajectory, line by line, from the numbers the inspector has of it. */
import { formulaOf, type OwnLoss, parameterValues, weightIn } from '../../../experiment/arm/ownLosses';
import { parameterRow } from '../../../formula/packing';
import { type FormulaStep, stepsOf } from '../../../formula/steps';
import type { Inputs, Structure } from '../../../formula/tape';
import type { InputName } from '../../../formula/vocabulary';
import { ROLE, ROLES } from '../../../foundation/roles';
import type { Inspection } from '../../../train/looks/shown';
import type { TokenNumber } from '../../../train/protocol';
import { numberOf, turnsOf } from './tokens';

/** Tokens of the trajectory on which a user's loss has a weight, and whose log-prob is known. */
export function ownTokens({ arm, roles, numbers }: Inspection, loss: OwnLoss): number[] {
  return Array.from(roles.keys()).filter((t) => {
    const role = ROLES[roles[t] ?? -1];
    return role !== undefined && weightIn(arm, loss, role) !== 0 && !Number.isNaN(numbers.logProb[t]);
  });
}

/**
 * Steps of a formula at a token; null where the formula reads other trajectories of the batch, which are not here, or the running
 * success rate.
 */
export function ownSteps(inspection: Inspection, loss: OwnLoss, index: number): readonly FormulaStep[] | null {
  const formula = formulaOf(loss.text);
  if (formula.nodes.some(({ op, level }) => op !== 'param' && (level === 'group' || level === 'batch'))) return null;
  if (formula.reads.has('success_rate')) return null;
  const own = ownTokens(inspection, loss);
  const { structure, inputs } = asBatch(inspection, own);
  // A text that reads the running success rate was sent back above.
  const parameters = parameterRow(parameterValues(loss), { update: inspection.update, success_rate: Number.NaN });
  const steps = stepsOf(formula, structure, inputs, parameters, own.indexOf(index));
  return steps.some(({ name }) => name === 'loss') ? steps : null;
}

/** The trajectory as a batch of one. */
function asBatch(inspection: Inspection, own: readonly number[]): { structure: Structure; inputs: Inputs } {
  const { roles, rewards, successes, trajectory } = inspection;
  const turns = turnsOf(inspection);
  const turnOf = own.map((t) => turns.findLastIndex(({ from }) => from <= t));
  const used = [...new Set(turnOf)];
  const of = (name: TokenNumber): number[] => own.map((t) => numberOf(inspection, name, t));
  const isRole = (role: number): number[] => own.map((t) => (roles[t] === role ? 1 : 0));
  // The first of the inspector's turns is the prompt.
  const turnNumber = used.map((turn) => turn - 1);
  const inputs: Partial<Record<InputName, ArrayLike<number>>> = {
    logp: of('logProb'),
    old_logp: of('oldLogProb'),
    ref_logp: of('referenceLogProb'),
    entropy: of('entropy'),
    advantage: of('advantage'),
    position: own,
    is_action: isRole(ROLE.action),
    is_thought: isRole(ROLE.thought),
    is_observation: isRole(ROLE.observation),
    turn: turnNumber,
    reward: [rewards[trajectory] ?? 0],
    success: [successes[trajectory] ?? 0],
  };
  const structure = {
    tokenTurn: Int32Array.from(turnOf, (turn) => used.indexOf(turn)),
    tokenIndex: Int32Array.from(own),
    tokenWeight: new Float64Array(own.length).fill(1),
    turnTrajectory: new Int32Array(used.length),
    turnNumber: Int32Array.from(turnNumber),
    trajectoryGroup: Int32Array.of(0),
    groups: 1,
  };
  return { structure, inputs };
}
