/**
 * Reach of an own loss before it is applied: which roles its gradient goes to, whether it has one, and where it is not
 * finite. It is tried on a small made-up batch, in which everything that a text can read differs from token to token.
 */
import type { Formula } from '../../formula/compile';
import { type Fault, firstFault } from '../../formula/fault';
import type { FormulaNode } from '../../formula/graph';
import { parameterRow } from '../../formula/packing';
import { evaluateTape, type Inputs, type Structure } from '../../formula/tape';
import { INPUTS, type InputName } from '../../formula/vocabulary';
import { RandomStream } from '../../foundation/philox';
import type { Role } from '../../foundation/roles';

export interface LossReach {
  /** Share of the gradient, 0 to 1, that goes to the tokens of each role; all 0 where there is none. */
  readonly shares: readonly (readonly [role: Role, share: number])[];
  /** False where nothing that the policy does changes the loss, in any batch. */
  readonly hasGradient: boolean;
  /** Operation that first gave a number that is not finite; null where all are. */
  readonly broken: Fault | null;
  /** No token has a finite loss and slope. */
  readonly isNeverFinite: boolean;
}

/** Trajectories, two of a group; each has a prompt, and turns in which every other role has tokens. */
const [TRAJECTORIES, TURNS, TOKENS] = [8, 2, 3];
/** Numbers of the run that the trial's loss reads: update, and success rate as a share. */
const RUN = { update: 5, success_rate: 0.3 };

type WeightOf = (role: Role) => number;

/** `roles` of the world, and the loss's weight on each; `values` of its parameters, in the text's order. */
export function reachOf(
  formula: Formula,
  roles: readonly Role[],
  weightOf: WeightOf,
  values: readonly number[],
): LossReach {
  const { loss, byLogProb, byEntropy } = formula;
  const isZero = (node: FormulaNode): boolean => node.op === 'constant' && node.value === 0;
  const hasGradient = !isZero(byLogProb) || !isZero(byEntropy);
  const { structure, inputs, tokens } = madeUp(
    roles.filter((role) => weightOf(role) !== 0),
    weightOf,
  );
  if (tokens.length === 0)
    return { shares: roles.map((role) => [role, 0]), hasGradient, broken: null, isNeverFinite: false };
  const row = parameterRow(values, RUN);
  const { atTokens } = evaluateTape(formula, structure, inputs, row);
  const outputs = [loss, byLogProb, byEntropy].map(atTokens);
  const areFinite = tokens.map((_, i) => outputs.every((values) => Number.isFinite(Math.fround(values[i] ?? 0))));
  const slope = (i: number): number => Math.abs(outputs[1]?.[i] ?? 0) + Math.abs(outputs[2]?.[i] ?? 0);
  const sizeOf = (role?: Role): number =>
    tokens.reduce((sum, of, i) => sum + (areFinite[i] && (role ?? of) === of ? slope(i) : 0), 0);
  const whole = sizeOf();
  return {
    shares: roles.map((role) => [role, whole === 0 ? 0 : sizeOf(role) / whole]),
    hasGradient,
    broken: firstFault(formula, structure, inputs, row),
    isNeverFinite: !areFinite.includes(true),
  };
}

/** Tokens of these roles alone, as a formula's batch has them. */
function madeUp(roles: readonly Role[], weightOf: WeightOf) {
  const random = new RandomStream(0x72656163, 0, 0, 0, 0);
  const tokens: Role[] = [];
  const [tokenTurn, tokenIndex, turnTrajectory, turnNumber]: [number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
  ];
  for (let trajectory = 0; trajectory < TRAJECTORIES; trajectory++) {
    let index = 0;
    for (let turn = -1; turn < TURNS; turn++) {
      const saying = roles.filter((role) => (role === 'prompt') === (turn === -1));
      if (saying.length === 0) continue;
      for (const role of saying.flatMap((one) => new Array<Role>(TOKENS).fill(one))) {
        tokens.push(role);
        tokenTurn.push(turnNumber.length);
        tokenIndex.push(index++);
      }
      turnTrajectory.push(trajectory);
      turnNumber.push(turn);
    }
  }
  const structure: Structure = {
    tokenTurn: Int32Array.from(tokenTurn),
    tokenIndex: Int32Array.from(tokenIndex),
    tokenWeight: Float64Array.from(tokens, weightOf),
    turnTrajectory: Int32Array.from(turnTrajectory),
    turnNumber: Int32Array.from(turnNumber),
    trajectoryGroup: Int32Array.from({ length: TRAJECTORIES }, (_, i) => i >> 1),
    groups: TRAJECTORIES / 2,
  };
  const counts = { token: tokens.length, turn: turnNumber.length, trajectory: TRAJECTORIES, constant: 0 };
  const logp = tokens.map(() => -0.05 - Math.abs(random.normal()));
  const inputOf: Partial<Record<InputName, (i: number) => number>> = {
    logp: (i) => logp[i] ?? 0,
    entropy: () => 0.05 + random.unit(),
    old_logp: (i) => (logp[i] ?? 0) + 0.3 * random.normal(),
    sampler_logp: (i) => (logp[i] ?? 0) + 0.3 * random.normal(),
    ref_logp: (i) => (logp[i] ?? 0) + 0.3 * random.normal(),
    position: (i) => 1 + (tokenIndex[i] ?? 0),
    is_action: (i) => Number(tokens[i] === 'action'),
    is_thought: (i) => Number(tokens[i] === 'thought'),
    is_observation: (i) => Number(tokens[i] === 'observation'),
    turn: (i) => turnNumber[i] ?? 0,
    success: (i) => i % 2,
    turns: () => 1 + random.below(TURNS),
    valid: () => random.unit(),
  };
  const names = Object.keys(INPUTS) as InputName[];
  const drawn = (name: InputName): Float64Array =>
    Float64Array.from({ length: counts[INPUTS[name].level] }, (_, i) => inputOf[name]?.(i) ?? random.normal());
  const inputs: Inputs = Object.fromEntries(names.map((name) => [name, drawn(name)]));
  return { structure, inputs, tokens };
}
