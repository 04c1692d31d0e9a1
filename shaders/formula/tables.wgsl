// Places of a formula's inputs in `packed`: tokens [B,T,columns], trajectories [B,PACKED_TRAJECTORY_COLUMNS], groups
// [G,PACKED_GROUP_COLUMNS]; src/formula/packing.ts has the columns.
// #include "lib/layout.wgsl"

fn tokenAt(p: u32, token: u32) -> u32 { return p * params.packedStride + token * params.columns; }
