/**
 * The four worlds of the search. Each is a published preset with a policy of width 32, which costs a third and leaves
 * time for more seeds. A fifth of its tasks is held out where the environment can hold out any.
 */
import type { LinkFields } from '../ledger';

export interface SearchWorld {
  readonly id: 'gridworld' | 'calculator' | 'shop' | 'terminal';
  /** Fields of the link that all its runs share. */
  readonly fields: LinkFields;
  /** Tasks an update, and number of updates; the search changes both together. */
  readonly groups: number;
  readonly updates: number;
}

const SMALL = { 'policy.width': 32, 'policy.heads': 2, diagnosticsEvery: 0 } as const;

export const WORLDS: readonly SearchWorld[] = [
  {
    id: 'gridworld',
    fields: { preset: 'gridworld-small', diagnosticsEvery: 0, 'environment.heldOut': 0.2 },
    groups: 16,
    updates: 300,
  },
  {
    id: 'calculator',
    // Every batch gets the same warm start: as many demonstrations as the smallest batch has room for.
    fields: { preset: 'calculator-without-tool', ...SMALL, 'environment.heldOut': 0.2, 'warmStart.batch': 128 },
    groups: 32,
    updates: 400,
  },
  { id: 'shop', fields: { preset: 'shop', ...SMALL, 'environment.holdOut': true }, groups: 16, updates: 300 },
  { id: 'terminal', fields: { preset: 'terminal', ...SMALL }, groups: 16, updates: 400 },
];

export function worldOf(id: string): SearchWorld {
  const world = WORLDS.find((one) => one.id === id);
  if (world === undefined) throw new RangeError(`There is no world ${id}.`);
  return world;
}
