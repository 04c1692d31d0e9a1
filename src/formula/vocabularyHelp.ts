/** Explanation of every name of the language, for completion, hover and documentation: apart, because a compiler needs none of it. */
import { TARGETS } from './levels';
import {
  FUNCTIONS,
  type FunctionName,
  INPUTS,
  type InputName,
  REDUCTIONS,
  type Reduction,
  SHORTHANDS,
  TO_GO,
} from './vocabulary';

/** Meaning and unit of a name, one sentence each. */
export const HELP: Readonly<Record<InputName | keyof typeof SHORTHANDS | FunctionName | 'to_go', string>> = {
  logp: 'Log-probability of the token under the policy in training, nats. Carries the derivative.',
  entropy: 'Entropy of the policy’s distribution at the token, nats. Carries a derivative.',
  old_logp: 'Log-probability under the policy before this update’s first step, nats.',
  sampler_logp: 'Log-probability at which decoding drew the token, nats; elsewhere it is old_logp.',
  ref_logp: 'Log-probability under the reference policy (the initial one), nats.',
  advantage: 'Advantage by the arm’s own estimator. Also called A.',
  returns: 'Return that the critic is trained towards; without a critic the estimator’s own.',
  value: 'The critic’s value before this update’s first step.',
  position: 'Place of the token in its trajectory, counted from 0.',
  is_action: '1 on tokens of the policy’s actions, else 0.',
  is_thought: '1 on tokens that the policy thought before an action, else 0.',
  is_observation: '1 on tokens the environment answered with, else 0.',
  turn: 'Number of the turn: 0 is the first action and its answer, −1 the prompt.',
  turn_reward: 'Reward given at the turn’s tokens.',
  reward: 'Weighted sum of the reward’s parts, before KL, predicted rewards and length penalties.',
  success: '1 if the trajectory reached its goal, else 0.',
  turns: 'Turns the trajectory took.',
  valid: 'Share of well-formed actions, 0 to 1.',
  update: 'Number of this update, counted from 0. A line may define the name itself.',
  success_rate:
    'Running success rate of the arm’s own seed before this update, 0 to 1: the newest update counts a tenth. A line may define the name itself.',
  A: 'Short for advantage.',
  tokens: 'How many of the trajectory’s tokens are the formula’s own.',
  pi: 'Half the turn of a circle.',
  exp: 'e to the power of x.',
  log: 'Natural logarithm.',
  log1p: 'log(1 + x), exact for small x.',
  expm1: 'exp(x) − 1, exact for small x.',
  sqrt: 'Square root.',
  abs: 'Magnitude; slope 0 at 0.',
  sign: '−1, 0 or 1; slope 0.',
  sigmoid: '1 / (1 + exp(−x)).',
  tanh: 'Hyperbolic tangent.',
  relu: 'x where it is positive, else 0; slope 0 at 0.',
  softplus: 'log(1 + exp(x)).',
  min: 'The smallest; a tie goes to the first.',
  max: 'The largest; a tie goes to the first.',
  clip: 'x within its bounds; slope 1 inside, bounds included, else 0.',
  where: 'a where the condition holds, else b; only that one counts.',
  detach: 'x, held fixed: it carries no derivative.',
  to_go: 'Of a turn’s value: the discounted sum over this and later turns of the trajectory.',
};

const REDUCTION_HELP: Readonly<Record<Reduction, string>> = {
  sum: 'Sum',
  mean: 'Mean',
  min: 'Smallest',
  max: 'Largest',
  std: 'Standard deviation (n − 1)',
  count: 'Number',
};

interface Explained {
  readonly name: string;
  readonly kind: 'input' | 'function';
  readonly help: string;
}

/** Every name with its help. */
export function vocabulary(): readonly Explained[] {
  const inputs = Object.entries({ ...INPUTS, ...SHORTHANDS }) as [keyof typeof HELP, { level: string }][];
  const functions = Object.entries({ ...FUNCTIONS, to_go: TO_GO }) as [keyof typeof HELP, { takes: string }][];
  return [
    ...inputs.map(([name, { level }]) => ({ name, kind: 'input' as const, help: `${HELP[name]} One a ${level}.` })),
    ...functions.map(([name, { takes }]) => ({
      name,
      kind: 'function' as const,
      help: `${name}(${takes}): ${HELP[name]}`,
    })),
    ...REDUCTIONS.flatMap((kind) =>
      TARGETS.map((to) => ({
        name: `${kind}_${to}`,
        kind: 'function' as const,
        help: `${kind}_${to}(x): ${REDUCTION_HELP[kind]} of x over the ${to}: of a token’s value over the tokens that the loss is used for, of a turn’s once a turn.`,
      })),
    ),
  ];
}
