/** A member's memory of solved episodes: its bounds, what leaves first, what is drawn, and its record. */
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../src/foundation/philox';
import { isSolvedRecord, type Solved, type SolvedBounds, SolvedMemory } from '../../src/rl/play/solvedMemory';

const bounds: SolvedBounds = { size: 4, perTask: 2, leaves: 'oldest' };
/** An episode of a task that draws these words, one a turn. */
const episode = (task: number, update: number, ...words: readonly number[]): Solved => ({
  task: Int32Array.of(task, 7),
  update,
  advantage: 1 / (1 + update),
  turns: words.map((word) => ({
    thoughts: [word + 1, 3],
    tokens: [word],
    thoughtLogProbs: [-0.25, -1],
    logProbs: [-0.5 - word],
  })),
});
const memoryOf = (episodes: readonly Solved[], more: Partial<SolvedBounds> = {}): SolvedMemory => {
  const memory = new SolvedMemory();
  for (const one of episodes) memory.note(one, { ...bounds, ...more });
  return memory;
};
const stream = (number: number): RandomStream => new RandomStream(1, 2, 3, number, 0);
/** Update and task of all that it holds, in order. */
const held = (memory: SolvedMemory): number[][] => memory.save().map((record) => [record[1] ?? -1, record[4] ?? -1]);

describe('A memory of solved episodes', () => {
  const many = [episode(1, 0, 9, 9, 9), episode(1, 1, 8), episode(2, 2, 8, 8), episode(1, 3, 7, 7)];

  it('keeps so many of a task, and lets the oldest or the longest go', () => {
    expect(held(memoryOf(many))).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ]);
    const newest = episode(1, 4, 6, 6, 6, 6);
    // The newest itself goes where it is the longest.
    expect(held(memoryOf([...many, newest], { leaves: 'longest' }))).toEqual(
      held(memoryOf(many, { leaves: 'longest' })),
    );
    expect(held(memoryOf([...many, newest], { perTask: 1 }))).toEqual([
      [2, 2],
      [4, 1],
    ]);
  });

  it('keeps so many in all', () => {
    const tasks = [0, 1, 2, 3, 4, 5].map((task) => episode(task, task, ...Array<number>(6 - task).fill(5)));
    expect(held(memoryOf(tasks)).map(([update]) => update)).toEqual([2, 3, 4, 5]);
    const short = [...tasks].reverse();
    expect(held(memoryOf(short, { leaves: 'longest' })).map(([update]) => update)).toEqual([5, 4, 3, 2]);
  });

  it('replaces an episode by the same actions on the same task', () => {
    const memory = memoryOf([episode(1, 0, 4, 5), episode(1, 1, 5, 4), episode(1, 6, 4, 5), episode(2, 7, 4, 5)]);
    expect(held(memory)).toEqual([
      [1, 1],
      [6, 1],
      [7, 2],
    ]);
    expect(memory.size).toBe(3);
    expect([memory.knows(Int32Array.of(1, 7)), memory.knows(Int32Array.of(1, 8))]).toEqual([true, false]);
  });

  it('draws different episodes, all where fewer are there, and the same by the same numbers', () => {
    const memory = memoryOf([0, 1, 2, 3].map((task) => episode(task, task, 5)));
    const drawn = [...Array(40).keys()].map((i) => memory.draw(2, stream(i)));
    for (const two of drawn) expect(new Set(two).size).toBe(2);
    const counts = [0, 1, 2, 3].map((update) => drawn.flat().filter((one) => one.update === update).length);
    expect(Math.min(...counts)).toBeGreaterThan(8);
    expect(memory.draw(2, stream(3))).toEqual(drawn[3]);
    expect(memory.draw(9, stream(0))).toHaveLength(4);
    expect(new SolvedMemory().draw(3, stream(0))).toEqual([]);
  });

  it('draws by advantage: in proportion to it, and what had none once the others are drawn', () => {
    const had = [0.5, 0, 1.5, -2];
    const memory = memoryOf(had.map((advantage, task) => ({ ...episode(task, task, 5), advantage })));
    const first = [...Array(400).keys()].map((i) => memory.draw(1, stream(i), 'by-advantage')[0]?.advantage);
    const share = first.filter((advantage) => advantage === 1.5).length / 400;
    // Three in four, within four deviations of 0.022.
    expect(Math.abs(share - 0.75)).toBeLessThan(0.087);
    expect(new Set(first)).toEqual(new Set([0.5, 1.5]));
    const all = memory.draw(4, stream(1), 'by-advantage').map(({ advantage }) => advantage);
    expect(new Set(all.slice(0, 2))).toEqual(new Set([0.5, 1.5]));
    expect(new Set(all)).toEqual(new Set(had));
  });

  it('comes back from its record as it was', () => {
    const memory = memoryOf(many);
    const restored = new SolvedMemory();
    const records = JSON.parse(JSON.stringify(memory.save())) as number[][];
    expect(records.every(isSolvedRecord)).toBe(true);
    expect(isSolvedRecord([0.5, 1, 1, 7])).toBe(false);
    restored.restore(records);
    expect(restored.save()).toEqual(memory.save());
    expect(restored.draw(3, stream(0))).toEqual(memory.draw(3, stream(0)));
    restored.note(episode(1, 9, 1), bounds);
    memory.note(episode(1, 9, 1), bounds);
    expect(held(restored)).toEqual(held(memory));
  });
});
