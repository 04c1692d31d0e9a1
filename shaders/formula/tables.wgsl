// Places of a formula's inputs in `packed`: tokens [B,T,columns], trajectories [B,7], groups [G,3];
// src/formula/packing.ts.
const TOKEN_OWN = 0u;
const TOKEN_WEIGHT = 1u;
const TOKEN_TURN = 2u;
const TRAJECTORY_WIDTH = 7u;
const GROUP_WIDTH = 3u;

fn tokenAt(p: u32, token: u32) -> u32 { return p * params.packedStride + token * params.columns; }
