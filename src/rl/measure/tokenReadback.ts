/** Readback of every token's numbers in a batch. */
import type { Backend, Tensor } from '../../tensor/backend';
import type { BatchTensors } from '../learn/batch';

/** Dense tensors read back. `logProb`: of a member's last inner step, before it is taken; unspecified with a single step. */
const NAMES = [
  'oldLogProb',
  'logProb',
  'referenceLogProb',
  'oldValue',
  'returns',
  'advantage',
  'policyWeight',
  'crossEntropyWeight',
] as const;

/** Role and numbers of every token, [P, B, T] each. */
export type TokenReadback = Readonly<Record<'roles' | (typeof NAMES)[number], ArrayLike<number>>>;

/** Reads the tokens' numbers after everything submitted so far. */
export async function readTokens(backend: Backend, { dense, host }: BatchTensors): Promise<TokenReadback> {
  const roles = host.roles.slice();
  const values = await backend.read(...NAMES.map((name): Tensor<'f32'> => dense[name]));
  const named = NAMES.map((name, i) => [name, values[i]] as const);
  return Object.fromEntries([['roles', roles], ...named]) as TokenReadback;
}
