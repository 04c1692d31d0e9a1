// One member's hyperparameter; columns are in layout.wgsl.
// #uniform hyper: vec4f[4096]
fn hyperOf(member: u32, column: u32) -> f32 {
  let at = member * params.hyperStride + column;
  return hyper[at / 4u][at % 4u];
}
