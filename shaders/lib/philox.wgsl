// Philox 4x32-10 (Salmon et al., SC 2011), the same function as src/foundation/philox.ts. WGSL has no 64-bit integers:
// the high word of a product comes from 16-bit halves.

fn multiplyHigh(a: u32, b: u32) -> u32 {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let middle = aHigh * bLow + ((aLow * bLow) >> 16u);
  return aHigh * bHigh + (middle >> 16u) + ((aLow * bHigh + (middle & 0xffffu)) >> 16u);
}

fn philox4x32(counterIn: vec4u, keyIn: vec2u) -> vec4u {
  var counter = counterIn;
  var key = keyIn;
  for (var round = 0u; round < 10u; round++) {
    let high0 = multiplyHigh(0xd2511f53u, counter.x);
    let low0 = 0xd2511f53u * counter.x;
    let high1 = multiplyHigh(0xcd9e8d57u, counter.z);
    let low1 = 0xcd9e8d57u * counter.z;
    counter = vec4u(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += vec2u(0x9e3779b9u, 0xbb67ae85u);
  }
  return counter;
}

// In (0, 1), exact: the top 23 bits plus a half.
fn toUnitFloat(bits: u32) -> f32 { return (f32(bits >> 9u) + 0.5) / 8388608.0; }
