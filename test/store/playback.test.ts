/** The clock of the boards: episodes are played to their end; without motion the newest is shown as it ended. */
import { expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { createLabStore } from '../../src/store/lab';
import { createPlayback } from '../../src/store/look/playback';
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
  return { playback, arrive, shown };
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
