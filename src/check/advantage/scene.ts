/** Scenes: a fixture of the family "advantage" as this lab's trajectories, choices of a member, and places of outputs. */
import type { Role } from '../../foundation/roles';
import type { HYPER } from '../../tensor/layout';
import { inputOf } from '../arrays';
import { type Fixture, invalid } from '../format';

export interface SceneToken {
  readonly role: Role;
  readonly reward?: number;
  readonly oldLogProb?: number;
  readonly referenceLogProb?: number;
  readonly value?: number;
  readonly sumOfSquares?: number;
}

export interface SceneTrajectory {
  readonly group: number;
  readonly tokens: readonly SceneToken[];
  readonly parts?: readonly number[];
  readonly baseline?: number;
  readonly turns?: number;
  /** Number of the state in which each turn began. */
  readonly anchors?: readonly number[];
}

/** Place of an expected number; 'zero' outside every trajectory, null for a number that is not compared. */
export type ScenePlace =
  | { readonly of: 'advantage' | 'returns'; readonly trajectory: number; readonly token: number }
  | 'zero'
  | null;

export interface AdvantageScene {
  readonly trajectories: readonly SceneTrajectory[];
  readonly options: Partial<Record<keyof typeof HYPER, number>>;
  readonly rewardWeights?: readonly number[];
  readonly outputs: Readonly<Record<string, readonly ScenePlace[]>>;
}

/** Numbers of each token in fixtures given as tables, [B, T] flat. */
export interface Tables {
  readonly mask: Float64Array;
  readonly reward: Float64Array;
  readonly oldLogProb?: Float64Array | undefined;
  readonly referenceLogProb?: Float64Array | undefined;
  readonly value?: Float64Array | undefined;
  readonly sumOfSquares?: Float64Array | undefined;
}

/** Trajectories of T tokens: actions where the mask is 1, observations elsewhere, also after the end. */
export function tabulated(
  T: number,
  tables: Tables,
  groups: ArrayLike<number> | null,
): { readonly trajectories: SceneTrajectory[]; readonly outputs: AdvantageScene['outputs'] } {
  const B = tables.mask.length / T;
  for (const [name, table] of Object.entries(tables)) {
    const length = table?.length ?? B * T;
    if (length !== B * T) throw invalid(`A table of ${name} has ${length} numbers, that of the mask ${B * T}`);
  }
  if (groups !== null && groups.length !== B) throw invalid(`There are groups of ${groups.length} rows, not of ${B}`);
  const trajectories = Array.from({ length: B }, (_, b): SceneTrajectory => {
    const tokens = Array.from({ length: T }, (_, t): SceneToken => {
      const at = b * T + t;
      return {
        role: tables.mask[at] === 1 ? 'action' : 'observation',
        reward: tables.reward[at],
        oldLogProb: tables.oldLogProb?.[at] ?? 0,
        referenceLogProb: tables.referenceLogProb?.[at] ?? 0,
        value: tables.value?.[at] ?? 0,
        sumOfSquares: tables.sumOfSquares?.[at] ?? 0,
      };
    });
    return { group: groups?.[b] ?? b, tokens };
  });
  const places = (of: 'advantage' | 'returns'): ScenePlace[] =>
    Array.from({ length: B * T }, (_, at) => ({ of, trajectory: Math.floor(at / T), token: at % T }));
  return { trajectories, outputs: { advantages: places('advantage'), returns: places('returns') } };
}

/** Trajectories of one action token each, which has the advantage. */
export function single(
  rows: readonly Omit<SceneTrajectory, 'tokens'>[],
  rewards: ArrayLike<number> | null,
): { readonly trajectories: SceneTrajectory[]; readonly outputs: AdvantageScene['outputs'] } {
  const trajectories = rows.map((row, b): SceneTrajectory => {
    return { ...row, tokens: [{ role: 'action', reward: rewards?.[b] ?? 0 }] };
  });
  const places = rows.map((_, trajectory): ScenePlace => ({ of: 'advantage', trajectory, token: 0 }));
  return { trajectories, outputs: { advantages: places } };
}

export const optional = (fixture: Fixture, name: string): Float64Array | undefined =>
  name in fixture.inputs ? inputOf(fixture, name) : undefined;
