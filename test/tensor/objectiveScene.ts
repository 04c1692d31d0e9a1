/**
 * One microbatch through every operation of the objective in the order of an update: advantages and loss weights, choice
 * of tokens, then all terms of the loss. A trajectory's contents depend only on its own number and its member's, so the
 * same trajectories can be put in another order or beside other members. Values that no operation may read are NaN.
 */
import { RandomStream } from '../../src/foundation/philox';
import { isDrawn, ROLE, ROLES } from '../../src/foundation/roles';
import { allocate, f32, type TensorSpec, u32, unwritten } from '../../src/parity/cases/case';
import { ofOneSurrogate } from '../../src/parity/cases/hyper';
import { objectiveScratch, recordAdvantages, recordLossWeights } from '../../src/rl/learn/lossWeights';
import type { Backend } from '../../src/tensor/backend';
import { GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS, TERM_COLUMNS } from '../../src/tensor/columns';
import { HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../../src/tensor/layout';
import { TURN_PATH_COLUMNS } from '../../src/tensor/operations/advantage';
import { SEGMENT_COLUMNS } from '../../src/tensor/operations/policyObjective';

/** Number of turns that have a state number. */
const TURNS = 4;

export interface SceneMember {
  readonly id: number;
  /** Row of the hyperparameter table, [HYPER_COLUMNS]. */
  readonly hyper: Float32Array;
}

export interface Scene {
  readonly seed: number;
  readonly members: readonly SceneMember[];
  /** Numbers of the trajectories in each group. */
  readonly groups: readonly (readonly number[])[];
  /** Context T, in tokens. */
  readonly context: number;
}

/** Tensors [P, B, T] from earlier passes, and those that the objective's operations fill. */
const GIVEN = ['oldLogProb', 'referenceLogProb', 'behaviourLogProb', 'oldEntropy', 'oldValue', 'sumOfSquares'] as const;
const WEIGHTS = ['advantage', 'returns', 'policyWeight', 'actionWeight', 'crossEntropyWeight', 'selection'] as const;
const BY_ROW = ['dLogProb', 'dEntropy', 'dValue'] as const;

/** Numbers of one trajectory, by token. */
interface Trajectory {
  readonly roles: readonly number[];
  readonly numbers: Readonly<Record<string, readonly number[]>>;
  readonly outcome: { readonly solved: number; readonly valid: number; readonly usable: number };
  readonly anchors: readonly number[];
  readonly path: readonly number[];
}

/** True if operations of this member may read a token of this role. */
export function isRead(hyper: ArrayLike<number>, role: number): boolean {
  if (role >= ROLES.length) return false;
  return role !== ROLE.prompt || hyper[HYPER.policyGradient + role] !== 0 || hyper[HYPER.crossEntropy + role] !== 0;
}

function trajectoryOf({ seed, context }: Scene, member: SceneMember, id: number): Trajectory {
  const random = new RandomStream(seed, 21, member.id, id, 0);
  const length = 1 + random.below(context);
  const roles: number[] = [];
  const put = (role: number, tokens: number): void => {
    for (let k = 0; k < tokens && roles.length < length; k++) roles.push(role);
  };
  put(ROLE.prompt, 1 + random.below(3));
  while (roles.length < length) {
    put(ROLE.thought, random.below(3) === 0 ? 2 : 0);
    put(ROLE.action, 1 + random.below(2));
    put(ROLE.warning, random.below(4) === 0 ? 1 : 0);
    put(ROLE.observation, random.below(3));
  }
  const read = roles.map((role, t) => t > 0 && isRead(member.hyper, role));
  const column = (value: (t: number) => number): number[] =>
    roles.map((_, t) => {
      const drawn = value(t);
      return read[t] === true ? drawn : Number.NaN;
    });
  const logProb = column(() => -0.05 - Math.abs(random.normal()));
  const near = (values: readonly number[], deviation: number): number[] =>
    column((t) => (values[t] as number) + deviation * random.normal());
  const oldLogProb = near(logProb, 0.3);
  return {
    roles: roles.map((role, t) => (t === 0 ? NO_ROLE : role)),
    numbers: {
      logProb,
      oldLogProb,
      referenceLogProb: near(logProb, 0.4),
      behaviourLogProb: near(oldLogProb, 0.1),
      entropy: column(() => random.unit()),
      oldEntropy: column(() => random.unit()),
      value: column(() => random.normal()),
      oldValue: column(() => random.normal()),
      sumOfSquares: column(() => random.unit()),
      tokenReward: roles.map((role) => (isDrawn(role) ? random.normal() : 0)),
    },
    outcome: { solved: random.below(2), valid: random.below(5) / 4, usable: random.below(6) > 0 ? 1 : 0 },
    anchors: Array.from({ length: TURNS }, () => random.below(2)),
    path: Array.from({ length: TURNS * TURN_PATH_COLUMNS }, () => random.below(2)),
  };
}

export interface SceneResult {
  /** Results of member p in trajectory b by token: T numbers each, or T·TERM_COLUMNS. */
  token(p: number, b: number): Readonly<Record<string, readonly number[]>>;
  /** Sums of the terms, and numbers of the groups, of member p. */
  member(p: number): Readonly<Record<'sums' | 'group', readonly number[]>>;
  /** Number of trajectories, B. */
  readonly count: number;
  trajectory(p: number, b: number): Trajectory;
}

export async function runScene(backend: Backend, scene: Scene): Promise<SceneResult> {
  const { members, groups, context: T } = scene;
  const [P, ids] = [members.length, groups.flat()];
  const B = ids.length;
  const trajectories = members.map((member) => ids.map((id) => trajectoryOf(scene, member, id)));
  const R = Math.max(...trajectories.map((own) => own.reduce((sum, { roles }) => sum + roles.length, 0)));

  const dense = (name: string): TensorSpec => {
    const data = new Float32Array(P * B * T).fill(name === 'tokenReward' ? 0 : Number.NaN);
    trajectories.forEach((own, p) => {
      for (const [b, { numbers }] of own.entries()) data.set(numbers[name] ?? [], (p * B + b) * T);
    });
    return f32(P, data);
  };
  const roles = new Uint32Array(P * B * T).fill(NO_ROLE);
  const outcomes = new Float32Array(P * B * OUTCOME_COLUMNS);
  const anchors = new Uint32Array(P * B * TURNS);
  const path = new Uint32Array(P * B * TURNS * TURN_PATH_COLUMNS);
  const table = new Uint32Array(P * R * ROW_FIELDS);
  const start = new Uint32Array(P * (B + 1));
  const packed = { logProb: unwritten(P, R), entropy: unwritten(P, R), value: unwritten(P, R) };
  trajectories.forEach((own, p) => {
    let row = 0;
    for (const [b, one] of own.entries()) {
      const at = p * B + b;
      roles.set(one.roles, at * T);
      anchors.set(one.anchors, at * TURNS);
      path.set(one.path, at * TURNS * TURN_PATH_COLUMNS);
      for (const [name, value] of Object.entries(one.outcome)) {
        outcomes[at * OUTCOME_COLUMNS + OUTCOME[name as keyof typeof one.outcome]] = value;
      }
      start[p * (B + 1) + b] = row;
      one.roles.forEach((role, t) => {
        table.set([0, t, row, packMeta(role, 0, b)], (p * R + row + t) * ROW_FIELDS);
      });
      for (const [name, { data }] of Object.entries(packed)) data.set(one.numbers[name] ?? [], p * R + row);
      row += one.roles.length;
    }
    start[p * (B + 1) + B] = row;
  });
  const starts = [0];
  for (const group of groups) starts.push((starts.at(-1) as number) + group.length);
  const t = allocate(backend, {
    'rows.table': u32(P, table),
    'rows.count': u32(
      P,
      members.map((_, p) => start[p * (B + 1) + B] as number),
    ),
    'rows.start': u32(P, start),
    ...packed,
    ...Object.fromEntries([...GIVEN, 'tokenReward'].map((name) => [name, dense(name)])),
    'dense.logProb': dense('logProb'),
    'dense.entropy': dense('entropy'),
    roles: u32(P, roles),
    groupStart: u32(1, starts),
    outcomes: f32(P, outcomes),
    anchors: u32(P, anchors),
    path: u32(P, path),
    hyper: f32(
      P,
      members.flatMap(({ hyper }) => [...hyper]),
    ),
    ...Object.fromEntries(WEIGHTS.map((name) => [name, unwritten(P, B * T)])),
    ...Object.fromEntries(BY_ROW.map((name) => [name, unwritten(P, R)])),
    segments: unwritten(P, R * SEGMENT_COLUMNS),
    terms: unwritten(P, R * TERM_COLUMNS),
    sums: unwritten(P, TERM_COLUMNS),
    sequenceSums: unwritten(P, B * TERM_COLUMNS),
    group: unwritten(P, groups.length * GROUP_COLUMNS),
  });
  const [rows, hyper] = [t.sequences(), t.f32('hyper')];
  const [advantage, returns, policyWeight] = [t.f32('advantage'), t.f32('returns'), t.f32('policyWeight')];
  const [actionWeight, crossEntropyWeight] = [t.f32('actionWeight'), t.f32('crossEntropyWeight')];
  const [selection, segments, terms] = [t.f32('selection'), t.f32('segments'), t.f32('terms')];
  const [logProb, entropy, dLogProb] = [t.f32('logProb'), t.f32('entropy'), t.f32('dLogProb')];
  const batch = {
    roles: t.u32('roles'),
    trajectories: B,
    context: T,
    groupStart: t.u32('groupStart'),
    groups: groups.length,
    outcomes: t.f32('outcomes'),
    turnAnchor: t.u32('anchors'),
    turnPath: t.u32('path'),
    turns: TURNS,
    group: t.f32('group'),
    host: { roles: new Uint32Array(0), outcomes: new Float32Array(0) },
    dense: {
      tokenReward: t.f32('tokenReward'),
      oldLogProb: t.f32('oldLogProb'),
      referenceLogProb: t.f32('referenceLogProb'),
      behaviourLogProb: t.f32('behaviourLogProb'),
      oldEntropy: t.f32('oldEntropy'),
      oldValue: t.f32('oldValue'),
      sumOfSquares: t.f32('sumOfSquares'),
      logProb: t.f32('dense.logProb'),
      entropy: t.f32('dense.entropy'),
      ...{ advantage, returns, policyWeight, actionWeight, crossEntropyWeight, selection },
    },
  };
  const scratch = backend.tensor('scratch', 'f32', P, objectiveScratch(batch, batch.turns));
  const program = backend.record('objective', P, (ops) => {
    recordAdvantages(ops, batch, scratch, hyper);
    recordLossWeights(ops, batch, scratch, hyper);
    ops.selectTokens(selection, scratch, batch, batch.dense, hyper);
    const sampled = { ...batch.dense, logProb };
    ops.ratioSegments(segments, rows, sampled, hyper, T);
    ops.policyObjective(dLogProb, terms, rows, { ...sampled, segments }, hyper, T);
    ops.regularise(dLogProb, t.f32('dEntropy'), terms, rows, { ...sampled, entropy }, hyper, T);
    ops.crossEntropyObjective(dLogProb, terms, rows, { ...sampled, entropy }, hyper, T, { accumulate: true });
    ops.valueObjective(t.f32('dValue'), terms, rows, { ...batch.dense, value: t.f32('value') }, hyper, T);
    ops.sumColumns(t.f32('sums'), t.f32('sequenceSums'), terms, rows, { accumulate: false });
  });
  await backend.prepare();
  backend.run(program);
  const names = [...WEIGHTS, ...BY_ROW, 'terms', 'sums', 'group'] as const;
  const read = await backend.read(...names.map((name) => t.f32(name)));
  const values = Object.fromEntries(names.map((name, i) => [name, read[i] as ArrayLike<number>])) as Record<
    (typeof names)[number],
    Float32Array
  >;
  return {
    count: B,
    trajectory: (p, b) => (trajectories[p] as Trajectory[])[b] as Trajectory,
    token: (p, b) => {
      const [first, end] = [start[p * (B + 1) + b] as number, start[p * (B + 1) + b + 1] as number];
      const at = (p * B + b) * T;
      const inRows = (name: (typeof BY_ROW)[number] | 'terms', columns: number): number[] => [
        ...values[name].subarray((p * R + first) * columns, (p * R + end) * columns),
      ];
      return {
        ...Object.fromEntries(WEIGHTS.map((name) => [name, [...values[name].subarray(at, at + T)]])),
        ...Object.fromEntries(BY_ROW.map((name) => [name, inRows(name, 1)])),
        terms: inRows('terms', TERM_COLUMNS),
      };
    },
    member: (p) => {
      const own = (name: 'sums' | 'group'): number[] => {
        const stride = values[name].length / P;
        return [...values[name].subarray(p * stride, (p + 1) * stride)];
      };
      return { sums: own('sums'), group: own('group') };
    },
  };
}

/** Row of the hyperparameter table with these numbers, for the others a surrogate's defaults or 0. */
export function hyperRowOf(numbers: Readonly<Record<string, number>>): Float32Array {
  const row = new Float32Array(HYPER_COLUMNS);
  for (const [name, value] of Object.entries({ ...ofOneSurrogate, ...numbers })) {
    const [column, role] = name.split('.') as [keyof typeof HYPER, keyof typeof ROLE | undefined];
    row[HYPER[column] + (role === undefined ? 0 : ROLE[role])] = value;
  }
  return row;
}
