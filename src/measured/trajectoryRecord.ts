/**
 * A trajectory for other programs, one JSON object a line, as docs/trajectories.md describes. Segments and masks are
 * named as in OpenEnv (RFC 010, trajectory.py of huggingface/OpenEnv#819), messages as chat templates expect them.
 */

import type { Arm } from '../experiment/experiment';
import { ROLES, type Role, rolesIn } from '../foundation/roles';
import { weightOn } from '../hyperparameters/weights';

/** Data of a trajectory. Arrays have one entry a token; NaN where there is no value. */
export interface TrajectorySource {
  readonly arm: Arm;
  readonly seed: number;
  readonly update: number;
  readonly group: number;
  readonly trajectory: number;
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
  readonly numbers: Readonly<Record<TrajectoryNumber, ArrayLike<number>>>;
  /** Rewards of its group, by trajectory, and successes, 0 or 1. */
  readonly rewards: ArrayLike<number>;
  readonly successes: ArrayLike<number>;
}

type TrajectoryNumber =
  | 'oldLogProb'
  | 'logProb'
  | 'referenceLogProb'
  | 'advantage'
  | 'policyWeight'
  | 'crossEntropyWeight';

const OPEN_ENV: Readonly<Record<Role, string>> = {
  prompt: 'context',
  action: 'action',
  observation: 'env_output',
  warning: 'warning',
  thought: 'thought',
};
const MESSAGE: Readonly<Record<Role, string>> = {
  prompt: 'user',
  action: 'assistant',
  observation: 'tool',
  warning: 'tool',
  thought: 'assistant',
};

/** Decimal digits that float32 has. */
const DIGITS = 7;

/** JSON line without a line break. `words`: the vocabulary; `environment`: its id. */
export function trajectoryLine(source: TrajectorySource, words: readonly string[], environment: string): string {
  const { arm, seed, update, group, trajectory, tokens, numbers, rewards, successes } = source;
  const roles = Array.from(source.roles, (role) => ROLES[role] as Role);
  const segments = segmentsOf(Array.from(tokens), roles, words);
  const masked = (...wanted: Role[]) => roles.map((role) => wanted.includes(role));
  // Weights of the roles that the world has.
  const weights = (of: Arm['pg']) => {
    const known = rolesIn(roles.includes('thought') ? { thoughts: true } : null);
    return Object.fromEntries(known.map((role) => [role, weightOn(of, role)]));
  };
  const values = (name: TrajectoryNumber) => Array.from(numbers[name], writeNumber);
  return JSON.stringify({
    task_prompt: segments[0]?.role === 'prompt' ? segments[0].text : '',
    messages: segments.map(({ role, text }) => ({
      role: MESSAGE[role],
      content: text,
      ...((role === 'warning' || role === 'thought') && { name: role }),
    })),
    segments: segments.map(({ role, text }) => ({ role: OPEN_ENV[role], text })),
    reward: writeNumber(rewards[trajectory] ?? Number.NaN),
    success: successes[trajectory] === 1,
    input_ids: Array.from(tokens),
    action_mask: masked('action'),
    ...(roles.includes('thought') && { thought_mask: masked('thought') }),
    obs_mask: masked('observation'),
    warning_mask: masked('warning'),
    policy_weights: values('policyWeight'),
    world_model_weights: values('crossEntropyWeight'),
    advantages: values('advantage'),
    old_log_probs: values('oldLogProb'),
    log_probs: values('logProb'),
    ref_log_probs: values('referenceLogProb'),
    meta: {
      environment,
      arm: arm.id,
      name: arm.name,
      objective: arm.objective,
      world_model_coeff: arm.ce.observation,
      loss_weights: { policy: weights(arm.pg), cross_entropy: weights(arm.ce) },
      seed,
      update,
      group,
      trajectory,
    },
  });
}

interface Segment {
  readonly role: Role;
  readonly text: string;
}

/** Runs of tokens of one role. */
function segmentsOf(tokens: readonly number[], roles: readonly Role[], words: readonly string[]): Segment[] {
  const segments: { role: Role; words: string[] }[] = [];
  tokens.forEach((token, index) => {
    const role = roles[index] as Role;
    const word = words[token] ?? String(token);
    const last = segments.at(-1);
    if (last?.role === role) last.words.push(word);
    else segments.push({ role, words: [word] });
  });
  return segments.map(({ role, words: own }) => ({ role, text: own.join(' ') }));
}

const writeNumber = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
