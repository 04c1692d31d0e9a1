/** Index lists of the printed function: which element of one level each element of another belongs to. */
import type { Level } from '../levels';

/** Indices in the order in which they are computed; each line may use those above it. */
export const INDICES = {
  trajectory_of_token: 'trajectory_of_token = own.nonzero()[:, 0]',
  turn_of_token: [
    'turn = turn[own]',
    '# A turn begins where the trajectory or the turn’s number changes.',
    'begins = torch.ones_like(trajectory_of_token, dtype=torch.bool)',
    'begins[1:] = (trajectory_of_token[1:] != trajectory_of_token[:-1]) | (turn[1:] != turn[:-1])',
    'turn_of_token = begins.cumsum(0) - 1',
  ].join('\n'),
  trajectory_of_turn: 'trajectory_of_turn = trajectory_of_token[begins]',
  turn: 'turn = turn[begins].to(logp.dtype)',
  groups: 'group = group.unique(return_inverse=True)[1]\ngroups = int(group.max()) + 1',
  group_of_turn: 'group_of_turn = group[trajectory_of_turn]',
  group_of_token: 'group_of_token = group[trajectory_of_token]',
} as const;

export type Index = keyof typeof INDICES;

const NEEDS: Partial<Readonly<Record<Index, readonly Index[]>>> = {
  turn_of_token: ['trajectory_of_token'],
  trajectory_of_turn: ['turn_of_token'],
  turn: ['turn_of_token'],
  group_of_turn: ['groups', 'trajectory_of_turn'],
  group_of_token: ['groups', 'trajectory_of_token'],
};

/** The indices and those they need, in order. */
export function withNeeds(wanted: Iterable<Index>): readonly Index[] {
  const all = new Set<Index>();
  const add = (one: Index): void => {
    for (const need of NEEDS[one] ?? []) add(need);
    all.add(one);
  };
  for (const one of wanted) add(one);
  return (Object.keys(INDICES) as Index[]).filter((one) => all.has(one));
}

/** The list that says for each element of `from` which of `to` it belongs to, and what must be computed for it. */
export function indexOf(from: Level, to: Level): { readonly text: string; readonly uses: readonly Index[] } {
  if (to === 'batch') {
    const { text, uses } =
      from === 'group' ? { text: 'torch.arange(groups, device=own.device)', uses: ['groups' as const] } : anyOf(from);
    return { text: `torch.zeros_like(${text})`, uses };
  }
  if (from === 'trajectory' && to === 'group') return { text: 'group', uses: ['groups'] };
  const name = `${to}_of_${from}` as Index;
  return { text: name, uses: [name] };
}

/** A list with an element of a level each. */
function anyOf(level: Level): { readonly text: string; readonly uses: readonly Index[] } {
  if (level === 'trajectory') return { text: 'torch.arange(len(own), device=own.device)', uses: [] };
  const name = level === 'turn' ? 'trajectory_of_turn' : 'trajectory_of_token';
  return { text: name, uses: [name] };
}
