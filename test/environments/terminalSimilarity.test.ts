/** Answers paid by their similarity to the right one. */
import { describe, expect, it } from 'vitest';
import type { EnvironmentSettings } from '../../src/environments/environment';
import type { TerminalScene } from '../../src/environments/scene';
import { similarity } from '../../src/environments/terminal/similarity';
import { terminal } from '../../src/environments/terminal/terminal';
import { play, stream } from '../support/episodes';
import { typed } from '../support/terminal';

describe('similarity of an answer to the right one', () => {
  it.each<[number[], number[], number]>([
    [[], [], 1],
    [[1], [], 0],
    [[3], [1, 2], 0],
    [[1, 2], [2, 1], 0.5],
    [[1, 2, 3], [2, 3], 0.8],
    [[1, 2, 3, 4], [1, 9, 3, 4], 0.75],
    [[5, 1, 5], [5, 5, 1], 0.6666666666666666],
    [[0, 1, 0, 0, 0, 2], [0, 1, 2, 0, 1, 2], 0.6666666666666666],
    [[0, 1, 2, 0, 1, 2], [0, 1, 0, 0, 0, 2], 0.5],
    [[2, 2, 1, 2, 0, 2], [2, 1, 0, 2, 2, 0], 0.5],
    [[2, 1, 0, 2, 2, 0], [2, 2, 1, 2, 0, 2], 0.6666666666666666],
    [[1, 2, 1, 1, 1, 0], [2, 0, 0, 2, 1], 0.36363636363636365],
    [[0, 0, 2, 2, 2, 0, 1, 0, 2], [0, 2, 0, 2, 0, 1, 2, 2, 1], 0.6666666666666666],
  ])('of %j and %j is what Python’s difflib gives', (a, b, expected) => {
    expect(similarity(a, b)).toBe(expected);
  });

  const settings = { tasks: 'edit', lineWords: 4, actionTokens: 8, horizon: 4, grading: 'similarity' };
  const environment = terminal.create(settings);
  const task = environment.drawTask(stream(1));
  const [, , word = '', , file = ''] = play(environment, task, () => typed('exit')).recorder.words();
  const scene = environment.scenes?.(task, [], []).at(0) as TerminalScene;
  const line = scene.files.find(({ path }) => path.endsWith(file))?.text ?? '';
  const left = line.split(' ').filter((other) => other !== word);
  const paid = (first: string, more: EnvironmentSettings = {}): number => {
    const played = play(terminal.create({ ...settings, ...more }), task, (_world, _slot, turn) =>
      typed(turn === 0 ? first : 'exit'),
    );
    return played.world.reward(1);
  };

  it('is the reward, less for a word too many, and −1 without an answer', () => {
    expect(scene.task).toBe(`delete ${word} of ${file} in home`);
    expect(left.length).toBeLessThan(4);
    expect(paid(`echo ${left.join(' ')} > /answer`)).toBe(1);
    expect(paid(`cat ${file} > /answer`)).toBe((2 * left.length) / (4 + left.length));
    expect(paid('echo > /answer')).toBe(0);
    expect(paid('ls')).toBe(-1);
    expect(paid('oak', { malformed: 'end' })).toBe(-1);
  });

  it('is paid only where it is chosen, and success stays exact', () => {
    expect(paid(`cat ${file} > /answer`, { grading: 'exact' })).toBe(0);
    const played = play(environment, task, (_world, _slot, turn) =>
      typed(turn === 0 ? `cat ${file} > /answer` : 'exit'),
    );
    expect(played.world.isSuccess(1)).toBe(false);
  });
});
