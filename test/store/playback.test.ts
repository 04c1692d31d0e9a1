/** The clock of the boards: episodes are played to their end; without motion the newest is shown as it ended. */
import { expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { ROLE } from '../../src/foundation/roles';
import { createLabStore } from '../../src/store/lab';
import { createPlayback, episodesIn } from '../../src/store/look/playback';
import type { EpisodeView } from '../../src/train/looks/shown';

/** Episode of `turns` turns. */
function episode(update: number, turns: number): EpisodeView {
  const roles = [ROLE.prompt, ...Array.from({ length: turns }, () => [ROLE.action, ROLE.observation]).flat()];
  const none = new Float32Array(roles.length);
  return {
    arm: 'a',
    seed: 0,
    group: 0,
    update,
    task: new Int32Array(2),
    tokens: new Uint16Array(roles.length),
    roles: Uint8Array.from(roles),
    logProb: none,
    policyWeight: none,
    crossEntropyWeight: none,
    advantage: 0,
    reward: 0,
    success: false,
  } as EpisodeView;
}

function opened() {
  const lab = createLabStore();
  const playback = createPlayback(lab);
  const arrive = (update: number, turns: number) => lab.setState({ episodes: { a: episode(update, turns) } });
  const shown = () => {
    const { episodes, turn, turns } = playback.getState();
    return { update: episodes.a?.update, turn, turns };
  };
  return { lab, playback, arrive, shown };
}

test('an episode is played to its end before the newest is begun', () => {
  const { playback, arrive, shown } = opened();
  arrive(0, 2);
  expect(shown()).toEqual({ update: 0, turn: 0, turns: 2 });
  playback.advance();
  arrive(7, 3);
  expect(shown()).toEqual({ update: 0, turn: 1, turns: 2 });
  for (let tick = 0; tick < 7; tick++) playback.advance();
  expect(shown()).toEqual({ update: 7, turn: 0, turns: 3 });
});

test('far behind the run, a long episode is played in haste, to its end, and then the newest is begun', () => {
  const { playback, arrive, shown } = opened();
  arrive(0, 40);
  playback.advance();
  arrive(412, 40);
  const turns = Array.from({ length: 8 }, () => {
    playback.advance();
    return shown().turn;
  });
  expect(turns).toEqual([8, 15, 22, 29, 36, 40, 41, 42]);
  playback.advance();
  expect(shown()).toEqual({ update: 412, turn: 0, turns: 40 });
  playback.advance();
  expect(shown().turn).toBe(1);
});

test('without motion the newest episode is shown at once, as it ended', () => {
  const { playback, arrive, shown } = opened();
  arrive(0, 2);
  playback.setMotion(false);
  expect(shown()).toEqual({ update: 0, turn: 2, turns: 2 });
  arrive(7, 3);
  expect(shown()).toEqual({ update: 7, turn: 3, turns: 3 });
});

test('without motion, too, what is held stays until it is followed again', () => {
  const { playback, arrive, shown } = opened();
  playback.setMotion(false);
  arrive(0, 2);
  playback.seek(1);
  arrive(7, 3);
  expect(shown()).toEqual({ update: 0, turn: 1, turns: 2 });
  playback.setPlaying(true);
  expect(shown()).toEqual({ update: 7, turn: 3, turns: 3 });
});

test('something stands in while the run has no episode, and gives way to its first', () => {
  const { playback, arrive, shown } = opened();
  const [world, other] = [{}, {}] as [Environment, Environment];
  const standing = { a: { ...episode(5, 2), from: 'recording' as const, world } };
  playback.standIn(standing, true);
  expect([world, other].map((one) => episodesIn(playback.getState(), one))).toEqual([standing, {}]);
  expect(shown()).toEqual({ update: 5, turn: 2, turns: 2 });
  playback.standIn({ a: { ...episode(6, 3), from: 'recording' as const } }, true);
  expect(shown()).toEqual({ update: 6, turn: 3, turns: 3 });
  arrive(0, 4);
  expect(shown()).toEqual({ update: 0, turn: 0, turns: 4 });
  playback.standIn(standing, true);
  expect(shown()).toEqual({ update: 0, turn: 0, turns: 4 });
});

test('an example plays again and again, and with other weights goes on where it was', () => {
  const { playback, shown } = opened();
  const example = { ...episode(0, 1), from: 'example' as const };
  playback.standIn({ a: example }, false);
  playback.advance();
  expect(shown().turn).toBe(1);
  playback.standIn({ a: { ...example, crossEntropyWeight: new Float32Array(3).fill(1) } }, false);
  expect(shown().turn).toBe(1);
  expect(playback.getState().episodes.a?.crossEntropyWeight[2]).toBe(1);
  for (let tick = 0; tick < 6; tick++) playback.advance();
  expect(shown().turn).toBe(0);
});

test('the first episode that a policy plays is shown at once after demonstrations', () => {
  const { playback, arrive, lab, shown } = opened();
  const demonstration = (step: number) => ({ ...episode(0, 2), imitated: step });
  lab.setState({ episodes: { a: demonstration(0) } });
  lab.setState({ episodes: { a: demonstration(1) } });
  expect(playback.getState().episodes.a?.imitated).toBe(0);
  arrive(0, 3);
  expect(shown()).toEqual({ update: 0, turn: 0, turns: 3 });
  expect(playback.getState().episodes.a?.imitated).toBeUndefined();
});
