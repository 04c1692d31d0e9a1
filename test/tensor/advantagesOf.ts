/** Advantages of written trajectories on a backend: tokens with roles, rewards and values, in groups. */
import { allocate, f32, u32, unwritten } from '../../src/parity/cases/case';
import { type HyperOptions, hyperTensor } from '../../src/parity/cases/hyper';
import type { Backend, Operations } from '../../src/tensor/backend';
import { GROUP, GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS } from '../../src/tensor/columns';
import { advantageScratch, TURN_PATH_COLUMNS } from '../../src/tensor/operations/advantage';
import { ran } from '../support/tensors';

/** M: turns past it have no step part. */
const TURNS = 3;

export interface Token {
  readonly role: number;
  readonly reward: number;
  readonly value: number;
}
export type Trajectory = readonly Token[];

interface Scene {
  readonly groups: readonly (readonly Trajectory[])[];
  /** Options of each member; all members see the same batch. */
  readonly members: readonly HyperOptions[];
}

export async function advantagesOf(backend: Backend, { groups, members }: Scene) {
  const trajectories = groups.flat();
  const [B, T, P] = [trajectories.length, 1 + Math.max(...trajectories.map(({ length }) => length)), members.length];
  const column = (value: (token: Token | undefined) => number): Float32Array =>
    Float32Array.from({ length: B * T }, (_, i) => value(trajectories[Math.floor(i / T)]?.[(i % T) - 1]));
  const outcomes = Float32Array.from({ length: B * OUTCOME_COLUMNS }, (_, i) =>
    i % OUTCOME_COLUMNS === OUTCOME.usable ? 1 : 0,
  );
  const starts = [0];
  for (const own of groups) starts.push((starts.at(-1) as number) + own.length);
  const sizes = { trajectories: B, context: T, groups: groups.length };
  const t = allocate(backend, {
    roles: u32(
      1,
      column((token) => token?.role ?? NO_ROLE),
    ),
    groupStart: u32(1, starts),
    outcomes: f32(1, outcomes),
    tokenReward: f32(
      1,
      column((token) => token?.reward ?? Number.NaN),
    ),
    oldValue: f32(
      1,
      column((token) => token?.value ?? Number.NaN),
    ),
    oldLogProb: f32(
      1,
      column(() => -0.5),
    ),
    sumOfSquares: f32(
      1,
      column(() => 0.5),
    ),
    turnAnchor: u32(1, new Uint32Array(B * TURNS)),
    turnPath: u32(1, new Uint32Array(B * TURNS * TURN_PATH_COLUMNS)),
    hyper: hyperTensor(...members),
    advantage: unwritten(P, B * T),
    returns: unwritten(P, B * T),
    group: unwritten(P, groups.length * GROUP_COLUMNS),
    scratch: unwritten(P, advantageScratch(sizes, TURNS)),
  });
  const [roles, groupStart, outcomesTensor] = [t.u32('roles'), t.u32('groupStart'), t.f32('outcomes')];
  const batch = { ...sizes, roles, groupStart, outcomes: outcomesTensor };
  const inputs = {
    tokenReward: t.f32('tokenReward'),
    oldLogProb: t.f32('oldLogProb'),
    referenceLogProb: t.f32('oldLogProb'),
    oldValue: t.f32('oldValue'),
    sumOfSquares: t.f32('sumOfSquares'),
    turnAnchor: t.u32('turnAnchor'),
    turnPath: t.u32('turnPath'),
    turns: TURNS,
  };
  const outputs = [t.f32('advantage'), t.f32('returns'), t.f32('group')] as const;
  const score = (ops: Operations): void => ops.advantages(...outputs, t.f32('scratch'), batch, inputs, t.f32('hyper'));
  const [advantage, returns, group] = await ran(backend, P, score, outputs);
  const rows = (data: ArrayLike<number>, p: number): number[][] =>
    trajectories.map((own, b) => own.map((_, i) => data[(p * B + b) * T + 1 + i] as number));
  return {
    B,
    T,
    all: advantage,
    advantage: (p = 0) => rows(advantage, p),
    returns: (p = 0) => rows(returns, p),
    group: (name: keyof typeof GROUP, p = 0) =>
      groups.map((_, g) => group[(p * groups.length + g) * GROUP_COLUMNS + GROUP[name]] as number),
  };
}
