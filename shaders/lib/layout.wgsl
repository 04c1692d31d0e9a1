// Layout shared with TypeScript. The constants are made from the declarations there (src/tensor/webgpu/constants.ts).
// A row is vec4u(token, position, keyBase, rowMeta), rowMeta = role | legal set << 4 | sequence << 12.
// #include "constants.wgsl"

fn roleOf(rowMeta: u32) -> u32 { return rowMeta & 15u; }
fn legalSetOf(rowMeta: u32) -> u32 { return (rowMeta >> 4u) & 255u; }
fn sequenceOf(rowMeta: u32) -> u32 { return rowMeta >> 12u; }
