/**
 * A decoder that draws any tokens, legal or not, the same for every member, and reports a different log-prob for each: a rollout
 * without a policy, for tests of the host's part and for its time.
 */
import type { Environment } from '../../environments/environment';
import { RandomStream } from '../../foundation/philox';
import { NOT_DRAWN, type TurnDecoder } from '../../policy/decoder';
import { ROW_FIELDS } from '../../tensor/layout';

export function randomDecoder(environment: Environment, places: number, members: number, chunk: number): TurnDecoder {
  const { maxActionTokens, stopToken, words } = environment;
  const request = {
    rows: new Uint32Array(members * places * chunk * ROW_FIELDS),
    rowCount: new Uint32Array(members),
    picks: new Uint32Array(members * places * ROW_FIELDS),
    pickCount: new Uint32Array(members),
    actionTokens: new Uint32Array(members * places),
  };
  let turn = 0;
  return {
    trajectories: places,
    cohorts: 1,
    places,
    request,
    begin: () => {
      turn = 0;
    },
    turn: async () => {
      turn++;
      const tokens = new Uint32Array(members * maxActionTokens * places).fill(NOT_DRAWN);
      const logProbs = new Float32Array(tokens.length);
      for (let p = 0; p < members; p++) {
        for (let pick = 0; pick < (request.pickCount[p] as number); pick++) {
          const slot = request.picks[(p * places + pick) * ROW_FIELDS + 2] as number;
          const random = new RandomStream(5, 99, slot, turn, 0);
          for (let step = 0; step < (request.actionTokens[p * places + pick] as number); step++) {
            const at = (p * maxActionTokens + step) * places + pick;
            const token = random.below(words.length);
            tokens[at] = token;
            logProbs[at] = -(turn + step / 4 + pick / 1024);
            if (token === stopToken) break;
          }
        }
      }
      return { tokens, logProbs };
    },
  };
}
