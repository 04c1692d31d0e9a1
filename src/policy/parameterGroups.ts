/** A policy's parameters layer by layer, from the input to the output. */
import { type ParameterLayout, parameterSize } from './parameters';

export interface ParameterGroup {
  /** Name for people. */
  readonly name: string;
  /** Elements of a member's row, [from, to) each. Together the groups hold every parameter once. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** The embedding, each block's attention and feed-forward network with the norms before them, and the heads. */
export function parameterGroups(layout: ParameterLayout): ParameterGroup[] {
  const groups = new Map<string, (readonly [number, number])[]>();
  for (const spec of layout.specs) {
    const name = groupOf(spec.name);
    groups.set(name, [...(groups.get(name) ?? []), [spec.offset, spec.offset + parameterSize(spec)]]);
  }
  return Array.from(groups, ([name, ranges]) => ({ name, ranges }));
}

function groupOf(parameter: string): string {
  const block = /^layer(\d+)\.(\w+)/.exec(parameter);
  if (block === null) return parameter === 'tokens' || parameter === 'positions' ? 'embedding' : 'head';
  const part = ['attentionNorm', 'qkv', 'projection', 'self_attn'].includes(block[2]) ? 'attention' : 'feed-forward';
  return `block ${Number(block[1]) + 1}, ${part}`;
}
