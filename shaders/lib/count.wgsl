// Rows in use. Per-member scalars are uniforms (packed four to a vector, at most 1,024 members), which leaves the eight
// storage bindings to the big tensors and tells the compiler that a whole workgroup sees the same number.
fn rowCount(member: u32) -> u32 {
  let at = member * params.countStride;
  return count[at / 4u][at % 4u];
}
