/**
 * Schedule of a formula's reductions: their order, and where their results are kept. Group and batch results are held
 * fixed: they are computed over the whole batch beforehand (`held`), all other reductions with each microbatch of whole
 * trajectories (`objective`).
 *
 * A pass is one thread a trajectory, a group or a member. A reduction of tokens or turns to a group or the batch has
 * two parts: each trajectory's own result, then the result over trajectories. Elementwise operations are no part of the
 * schedule: a node that needs one computes it again.
 */
import { type FormulaNode, needed } from './graph';
import type { Level, ReductionLevel } from './levels';

export type Reduce = Extract<FormulaNode, { op: 'reduce' }>;
export type Scan = Extract<FormulaNode, { op: 'scan' }>;

/** Extent of one thread of a pass. */
export type Over = 'trajectory' | 'group' | 'batch';

/** One number for each element of `level`. */
export interface ReducedResult {
  readonly node: Reduce | Scan;
  /** Each trajectory's own result of a reduction to a group or the batch; not yet the node's value. */
  readonly isPart: boolean;
  /** Parts that the result reduces, one a trajectory; null where it reduces the elements themselves. */
  readonly parts: ReducedResult | null;
  readonly level: ReductionLevel;
  /** Elements that are reduced. */
  readonly from: Level;
  readonly over: Over;
  /** Number of the result among those of its level. */
  readonly place: number;
}

/** Results that one run over the elements of `from` gives. */
export interface TokenLoop {
  readonly from: Level;
  readonly results: readonly ReducedResult[];
}

export interface Pass {
  readonly over: Over;
  readonly loops: readonly TokenLoop[];
}

export interface Schedule {
  readonly results: readonly ReducedResult[];
  /** Number of results of each level. */
  readonly counts: Readonly<Record<ReductionLevel, number>>;
  /** Passes over the whole batch, in order; none where nothing is held. */
  readonly held: readonly Pass[];
  /** Pass over a microbatch; null where the outputs read no turn and no trajectory result. */
  readonly trajectories: Pass | null;
}

const OVER: Readonly<Record<ReductionLevel, Over>> = {
  turn: 'trajectory',
  trajectory: 'trajectory',
  group: 'group',
  batch: 'batch',
};
const ORDER: readonly Over[] = ['trajectory', 'group', 'batch'];

/** True for a result that is held fixed once computed. */
export const isHeld = (node: FormulaNode): node is Reduce =>
  node.op === 'reduce' && (node.to === 'group' || node.to === 'batch');

export const isResult = (node: FormulaNode): node is Reduce | Scan => node.op === 'reduce' || node.op === 'scan';

/** Schedule of a formula with these outputs. */
export function scheduleOf(outputs: readonly FormulaNode[]): Schedule {
  const nodes = needed(outputs);
  const results = resultsOf(nodes.filter(isResult));
  const counts = { turn: 0, trajectory: 0, group: 0, batch: 0 };
  for (const { level } of results) counts[level]++;
  const ofNode = (node: FormulaNode): readonly ReducedResult[] => results.filter((result) => result.node === node);
  const final = (node: FormulaNode): ReducedResult => ofNode(node).at(-1) as ReducedResult;
  const needs = (result: ReducedResult): readonly ReducedResult[] => {
    if (result.parts !== null) return [result.parts];
    return needed(result.node.args, isResult).filter(isResult).map(final);
  };
  const held = within(nodes.filter(isHeld).map(final), needs);
  const own = needed(outputs, isHeld).filter((node) => isResult(node) && !isHeld(node));
  const [trajectories = null] = passesOf(own.map(final), (result) => needs(result).filter(({ node }) => !isHeld(node)));
  return { results, counts, held: passesOf(held, needs), trajectories };
}

/** Results of reductions and scans in the order of the graph: arguments come first. */
function resultsOf(nodes: readonly (Reduce | Scan)[]): readonly ReducedResult[] {
  const counts = { turn: 0, trajectory: 0, group: 0, batch: 0 };
  const made = (
    node: Reduce | Scan,
    from: Level,
    level: ReductionLevel,
    parts: ReducedResult | null = null,
  ): ReducedResult => ({
    node,
    from,
    level,
    over: OVER[level],
    place: counts[level]++,
    isPart: false,
    parts,
  });
  return nodes.flatMap((node) => {
    if (node.op === 'scan') return [made(node, 'turn', 'turn')];
    const { from, to } = node;
    if (!isHeld(node) || (from !== 'token' && from !== 'turn')) return [made(node, from, to)];
    const parts = { ...made(node, from, 'trajectory'), isPart: true };
    return [parts, made(node, 'trajectory', to, parts)];
  });
}

/** The results and all that they need. */
function within(
  results: readonly ReducedResult[],
  needs: (result: ReducedResult) => readonly ReducedResult[],
): readonly ReducedResult[] {
  const found = new Set<ReducedResult>();
  const open = [...results];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    open.push(...needs(one));
  }
  return [...found];
}

/** A pass comes after those that it needs; what the same threads computed before needs none of its own. */
function passesOf(
  results: readonly ReducedResult[],
  needs: (result: ReducedResult) => readonly ReducedResult[],
): readonly Pass[] {
  const steps = ranked(results, needs, (one, other) => (one.over === other.over ? 0 : 1));
  const passes: Pass[] = [];
  for (let step = 0; step <= Math.max(-1, ...steps.values()); step++) {
    for (const over of ORDER) {
      const own = results.filter((one) => one.over === over && steps.get(one) === step);
      if (own.length > 0) passes.push({ over, loops: loopsOf(own, needs) });
    }
  }
  return passes;
}

function loopsOf(
  results: readonly ReducedResult[],
  needs: (result: ReducedResult) => readonly ReducedResult[],
): readonly TokenLoop[] {
  const turns = ranked(
    results,
    (one) => needs(one).filter((other) => results.includes(other)),
    () => 1,
  );
  const loops = new Map<string, ReducedResult[]>();
  const inOrder = [...results].sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0) || a.node.id - b.node.id);
  for (const one of inOrder) {
    // A scan is a run of its own.
    const key = `${turns.get(one)} ${one.from} ${one.node.op === 'scan' ? one.node.id : ''}`;
    loops.set(key, [...(loops.get(key) ?? []), one]);
  }
  return [...loops.values()].map((own) => ({ from: own[0].from, results: own }));
}

/** Rank of each result: the most steps on a way down through its needs. */
function ranked(
  results: readonly ReducedResult[],
  needs: (result: ReducedResult) => readonly ReducedResult[],
  distance: (one: ReducedResult, other: ReducedResult) => number,
): ReadonlyMap<ReducedResult, number> {
  const ranks = new Map<ReducedResult, number>();
  const inOrder = [...results].sort((a, b) => a.node.id - b.node.id || Number(b.isPart) - Number(a.isPart));
  for (const one of inOrder) {
    ranks.set(one, Math.max(0, ...needs(one).map((other) => (ranks.get(other) ?? 0) + distance(one, other))));
  }
  return ranks;
}
