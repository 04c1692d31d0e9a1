// Number of a member's rows in use. Numbers of members are uniforms (packed four to a vector, at most 1,024 members):
// the eight storage bindings are left to big tensors, and the compiler knows that a workgroup sees one number.
// #uniform count: vec4u[256]
fn rowCount(member: u32) -> u32 {
  let at = member * params.countStride;
  return count[at / 4u][at % 4u];
}
