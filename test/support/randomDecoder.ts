import { RandomStream } from '../../src/foundation/philox';
import type { Decoder } from '../../src/policy/decoder';
import { ROW_FIELDS } from '../../src/tensor/layout';

/** A decoder that draws any token at all, the same for every member. */
export function randomDecoder(places: number, members: number, chunk: number, vocabulary: number): Decoder {
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
    request,
    begin: () => {
      turn = 0;
    },
    turn: async () => {
      turn++;
      const tokens = new Uint32Array(members * places);
      for (let p = 0; p < members; p++) {
        for (let pick = 0; pick < (request.pickCount[p] as number); pick++) {
          const slot = request.picks[(p * places + pick) * ROW_FIELDS + 2] as number;
          tokens[p * places + pick] = new RandomStream(5, 99, slot, turn, 0).below(vocabulary);
        }
      }
      return { tokens, logProbs: new Float32Array(members * places) };
    },
  } as unknown as Decoder;
}
