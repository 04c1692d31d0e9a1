// Tile of the fused log-prob: eight rows of hidden·head at four tokens (a quad) of the vocabulary.
// The includer declares hidden, weight and params with weightStride, weightOffset, width (C/4) and quads (V/4).
// #include "log_prob/softmax.wgsl"
// #include "lib/weights.wgsl"

// Starts of the eight rows in hidden.
var<private> hiddenAt: array<u32, 8>;
// The eight rows' logits.
var<private> z: array<vec4f, 8>;

fn multiply(p: u32, q: u32) {
  let w = p * params.weightStride + params.weightOffset + q;
  // #repeat i 8
  var z$i = vec4f();
  let at$i = hiddenAt[$i];
  // #end
  for (var c = 0u; c < params.width; c++) {
    let row = w + 4u * c * params.quads;
    let w0 = wide(weight[row]);
    let w1 = wide(weight[row + params.quads]);
    let w2 = wide(weight[row + 2u * params.quads]);
    let w3 = wide(weight[row + 3u * params.quads]);
    // #repeat i 8
    let h$i = hidden[at$i + c];
    z$i += h$i.x * w0 + h$i.y * w1 + h$i.z * w2 + h$i.w * w3;
    // #end
  }
  // #repeat i 8
  z[$i] = z$i;
  // #end
}

fn isRestricted(row: vec4u) -> bool { return isDrawn(roleOf(row.w)); }

// 1/temperature.
fn inverseOf(p: u32, row: vec4u) -> f32 {
  return 1.0 / select(1.0, hyperOf(p, HYPER_TEMPERATURE), isRestricted(row));
}

fn legalFour(row: vec4u, q: u32) -> vec4<bool> {
  if (!isRestricted(row)) { return vec4<bool>(true); }
  return isSet(legalWord(legalSetOf(row.w), q / 8u) >> (4u * (q % 8u)));
}
