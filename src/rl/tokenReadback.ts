/** Numbers of every token of a batch, brought to the host where they are asked for. */
import type { Backend, Tensor } from '../tensor/backend';
import type { BatchTensors } from './batch';

/** `logProb`: at the last inner step but one, what that step's ratio was taken from; only where a member has several. */
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

/** [P, B, T] each. */
export type TokenReadback = Readonly<Record<'roles' | (typeof NAMES)[number], ArrayLike<number>>>;

/** As they are once everything submitted so far has run. */
export async function readTokens(backend: Backend, { dense, host }: BatchTensors): Promise<TokenReadback> {
  const roles = host.roles.slice();
  const values = await backend.read(...NAMES.map((name): Tensor<'f32'> => dense[name]));
  const named = NAMES.map((name, i) => [name, values[i]] as const);
  return Object.fromEntries([['roles', roles], ...named]) as TokenReadback;
}
