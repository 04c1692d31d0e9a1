// Gradient of the gate.
// dx (=): dOut·u·σ·(1 + g·(1 − σ)) by g, dOut·g·σ by u, σ = 1/(1 + e⁻ᵍ), x = (g, u). x, dx [P,R,2F], dOut [P,R,F].
// One thread per four channels. Floor: 20·R·F bytes, 12·R·F flops.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write dx: vec4f
// #read dOut, x: vec4f
// #params width (F / 4): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let source = p * params.xStride + r * 2u * params.width + c;
  let to = p * params.dxStride + r * 2u * params.width + c;
  let given = dOut[p * params.dOutStride + i];
  let gate = x[source];
  let sigma = 1.0 / (1.0 + exp(-gate));
  dx[to] = given * x[source + params.width] * (sigma + gate * sigma * (1.0 - sigma));
  dx[to + params.width] = given * gate * sigma;
}
