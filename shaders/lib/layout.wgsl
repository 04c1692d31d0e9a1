// Layout shared with TypeScript. The constants are made from the declarations there (src/tensor/webgpu/constants.ts),
// and isDrawn(role), true for a token that the policy drew.
// A row is vec4u(token, position, keyBase, rowMeta), rowMeta = role | legal set << 4 | sequence << 12.
// #include "constants.wgsl"

// A token of a trajectory; padding is none (NO_ROLE).
fn isTarget(role: u32) -> bool { return role < ROLES; }

fn roleOf(rowMeta: u32) -> u32 { return rowMeta & 15u; }
fn legalSetOf(rowMeta: u32) -> u32 { return (rowMeta >> 4u) & 255u; }
fn sequenceOf(rowMeta: u32) -> u32 { return rowMeta >> 12u; }
