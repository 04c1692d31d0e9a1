/**
 * Steering: the activation that a probe reads is moved, and the policy decides on. At the last token before an action, and
 * after so many blocks, strength · (mean activation of the believed cell − mean activation of the present one) is added. If the
 * policy acts on what the probe reads, it then walks as from the believed cell. Beside it stand pushes of the same length, because
 * any push changes something: in random directions, and from the present cell's mean to that of a third cell, which is as likely a
 * direction as the right one. The means are of other tasks than those asked about.
 */
import type { RandomStream } from '../../../foundation/philox';
import { difference, drawDirection, lengthOf, meansOf, ofLength } from './directions';
import type { Readout } from './readout';
import type { Stand } from './walks';

/** Mean activation of each cell: [blocks before it][cell]. */
export type CellMeans = readonly ReadonlyMap<string, Float64Array>[];

/** Two places in one task: that of the agent, and the one where the policy is made to believe it is. */
export interface PlaceBelief {
  readonly present: Stand;
  readonly believed: Stand;
}

/** Probabilities of the actions legal at the believed place, at temperature 1, in their order. */
export type Decision = readonly number[];

export interface Steered {
  readonly blocks: number;
  readonly strength: number;
  readonly after: Decision;
  readonly random: readonly Decision[];
  /** Decision after a push towards a third cell. */
  readonly elsewhere: Decision;
}

/** One belief asked about. `there`: the decision of the same policy that truly is where the other believes to be. */
export interface TriedBelief {
  readonly before: Decision;
  readonly there: Decision;
  readonly steered: readonly Steered[];
}

export async function fitMeans(readout: Readout, stands: readonly Stand[], width: number): Promise<CellMeans> {
  const streams: number[][] = [];
  await inBlocks(readout, stands, async (block) => {
    const read = await readout.read(block.map(({ tokens }) => tokens));
    read.streams.forEach((stream, layer) => {
      streams[layer] ??= [];
      for (const value of stream) streams[layer].push(value);
    });
  });
  const cells = stands.map(({ cell }) => cell);
  return streams.map((stream) => meansOf(stream, cells, width));
}

/** Decisions at the ends of walks, nothing changed. */
export async function decideAt(readout: Readout, stands: readonly Stand[]): Promise<Decision[]> {
  const decisions: Decision[] = [];
  await inBlocks(readout, stands, async (block) => {
    const { logits } = await readout.read(block.map(({ tokens }) => tokens));
    const legal = block.map((stand) => stand.legal);
    decisions.push(...decisionsOf(logits, legal));
  });
  return decisions;
}

export interface Trial {
  readonly means: CellMeans;
  readonly strengths: readonly number[];
  /** Random directions for each belief and place in the policy; each is used at all strengths. */
  readonly directions: number;
  readonly random: RandomStream;
}

/** Tries beliefs about cells that have means, at every place of the policy and every strength. */
export async function tryBeliefs(
  readout: Readout,
  beliefs: readonly PlaceBelief[],
  trial: Trial,
): Promise<TriedBelief[]> {
  const tried: TriedBelief[] = [];
  await inBlocks(readout, beliefs, async (block) => {
    const legal = block.map(({ believed }) => believed.legal);
    const there = decisionsOf((await readout.read(block.map(({ believed }) => believed.tokens))).logits, legal);
    const { logits, streams } = await readout.read(block.map(({ present }) => present.tokens));
    const before = decisionsOf(logits, legal);
    const steered: Steered[][] = block.map(() => []);
    for (const [blocks, stream] of streams.entries()) {
      const width = stream.length / block.length;
      const means = trial.means[blocks];
      const aimed = block.map(({ present, believed }) =>
        difference(means.get(believed.cell) as Float64Array, means.get(present.cell) as Float64Array),
      );
      const elsewhere = block.map(({ present, believed }, i) => {
        const cells = [...means.keys()].filter((cell) => cell !== present.cell && cell !== believed.cell);
        const third =
          means.get(cells[trial.random.below(Math.max(1, cells.length))]) ?? drawDirection(width, 1, trial.random);
        return ofLength(lengthOf(aimed[i]), difference(third, means.get(present.cell) as Float64Array));
      });
      const random = Array.from({ length: trial.directions }, () =>
        aimed.map((direction) => drawDirection(width, lengthOf(direction), trial.random)),
      );
      for (const strength of trial.strengths) {
        const decisionsAlong = async (directions: readonly Float64Array[]): Promise<Decision[]> => {
          const to = Float64Array.from(stream);
          directions.forEach((direction, row) => {
            for (let i = 0; i < width; i++) to[row * width + i] += strength * direction[i];
          });
          return decisionsOf(await readout.goOn(blocks, to), legal);
        };
        const after = await decisionsAlong(aimed);
        const third = await decisionsAlong(elsewhere);
        const afterRandom: Decision[][] = [];
        for (const directions of random) afterRandom.push(await decisionsAlong(directions));
        block.forEach((_, i) => {
          steered[i].push({
            blocks,
            strength,
            after: after[i],
            random: afterRandom.map((one) => one[i]),
            elsewhere: third[i],
          });
        });
      }
    }
    block.forEach((_, i) => {
      tried.push({ before: before[i], there: there[i], steered: steered[i] });
    });
  });
  return tried;
}

async function inBlocks<T>(readout: Readout, all: readonly T[], each: (block: T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += readout.capacity) await each(all.slice(from, from + readout.capacity));
}

/** Softmax over the legal tokens of each row of logits. */
function decisionsOf(logits: ArrayLike<number>, legal: readonly (readonly number[])[]): Decision[] {
  const vocabulary = logits.length / legal.length;
  return legal.map((tokens, row) => {
    const scores = tokens.map((token) => logits[row * vocabulary + token]);
    const most = Math.max(...scores);
    const weights = scores.map((value) => Math.exp(value - most));
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  });
}
