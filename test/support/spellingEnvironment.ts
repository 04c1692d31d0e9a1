/**
 * A small environment for tests, with everything the gridworld lacks: actions of one to three tokens with a stop token,
 * observations of zero to two tokens, warnings, and legal sets that change from turn to turn. The task is to spell a pair
 * of letters; the observation depends on the length of the action and the sum of its letters.
 */
import type { Environment, WorldSlots } from '../../src/environments/environment';

const WORDS = ['<pad>', '<bos>', 'stop', 'a', 'b', 'c', 'd', 'yes', 'no', 'short', 'hint'];
const STOP = 2;
const TURNS = 4;

export const spellingEnvironment: Environment = {
  words: WORDS,
  context: 3 + TURNS * 5,
  maxTurns: TURNS,
  maxActionTokens: 3,
  stopToken: STOP,
  maxObservationTokens: 2,
  legalSets: [
    [STOP, 3, 4, 5, 6],
    [STOP, 3, 4],
  ],
  randomSuccess: null,
  drawTask: (random) => Int32Array.of(3 + random.below(4), 3 + random.below(4)),
  createWorld(slots): WorldSlots {
    const first = new Int32Array(slots);
    const second = new Int32Array(slots);
    const turn = new Int32Array(slots);
    const solved = new Uint8Array(slots);
    return {
      reset(slot, task, { emit }) {
        first[slot] = task[0] as number;
        second[slot] = task[1] as number;
        turn[slot] = 0;
        solved[slot] = 0;
        emit(1, 'prompt');
        emit(task[0] as number, 'prompt');
        if (((task[1] as number) & 1) === 0) emit(task[1] as number, 'prompt');
      },
      legalSet: (slot) => 1 + ((turn[slot] as number) & 1),
      step(slot, action, { emit }) {
        turn[slot] = (turn[slot] as number) + 1;
        const letters = Array.from(action).filter((token) => token !== STOP);
        if (letters.length === 0) emit(9, 'warning');
        else {
          const right = letters[0] === first[slot];
          if (right && letters.length === 1) solved[slot] = 1;
          emit(right ? 7 : 8, 'observation');
          if (letters.length > 1) emit(10, 'observation');
        }
      },
      isDone: (slot) => solved[slot] === 1 || (turn[slot] as number) >= TURNS,
      reward: (slot) => solved[slot] as number,
      isSuccess: (slot) => solved[slot] === 1,
    };
  },
};
