/** A surrogate at one token: value, derivatives, and the bounds that act. */
import type { PolicyMember } from '../../src/tensor/objective/policy/member';
import {
  SURROGATE_OUTPUTS,
  type SurrogateOutput,
  type SurrogateTokens,
  surrogatesOf,
} from '../../src/tensor/objective/policy/surrogates';

export type SurrogateToken = { readonly [K in keyof SurrogateTokens]: number };

export function surrogateOf(token: SurrogateToken, member: PolicyMember): Readonly<Record<SurrogateOutput, number>> {
  const alone = Object.fromEntries(Object.entries(token).map(([name, value]) => [name, Float64Array.of(value)]));
  const read = surrogatesOf(1, alone as unknown as SurrogateTokens, member);
  const outputs = Object.keys(SURROGATE_OUTPUTS) as SurrogateOutput[];
  return Object.fromEntries(outputs.map((output) => [output, read(output)[0]])) as Record<SurrogateOutput, number>;
}
