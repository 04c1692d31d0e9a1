// Normalises rows and multiplies them by a layer’s weights, on GPUs.
// forward/layer_norm.wgsl and forward/linear_tiled.wgsl in one dispatch, to the same bits: out = normed·weight + bias,
// normed = gamma·(x − mean)·rstd + beta. Scale, shift, weights and biases lie in one tensor. One thread per row takes
// its mean and rstd; tiles are normalised as they are read, and the workgroups of the first columns keep normed and
// stats. With STORE 1 it is the product of queries, keys and values, and keys and values also go into the cache, as by
// decoding/store_key_value.wgsl. x, normed [P,R,K], stats [P,R,2], weight [K,N], out [P,R,N], cache [P,capacity,S].
// Sizes: SIDE, STORE. Floor: 2·R·K·N flops, 4·(R·K·N/(4·SIDE) + K·N·R/(4·SIDE) + R·N) bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// A workgroup's threads a side, 4 rows and 4 columns each, and quads of a step: 16 and 4, or 8 and 2.
const SIDE = $SIDEu;
const QUADS = SIDE / 4u;

// #write out, normed: vec4f; stats: f32
// #read x, weight: vec4f
// #params inner (K / 4), width (N / 4), weightOffset, biasOffset, gammaOffset, betaOffset, hasBias, centred: u32
// #params epsilon: f32
// #repeat s STORE
// #write cache: vec4f
// #read table: vec4u
// #params stored (S / 4): u32
// #end

var<workgroup> xTile: array<vec4f, SIDE * SIDE>; // 4·SIDE rows × QUADS of K
var<workgroup> weightTile: array<vec4f, SIDE * SIDE>; // SIDE steps of K × SIDE quads of N
var<workgroup> ofRows: array<vec2f, 4 * SIDE>; // (mean, rstd)

fn statsOf(base: u32) -> vec2f {
  let channels = f32(4u * params.inner);
  var sum = vec4f();
  if (params.centred != 0u) {
    for (var c = 0u; c < params.inner; c++) { sum += x[base + c]; }
  }
  let mean = (sum.x + sum.y + sum.z + sum.w) / channels;
  var squares = vec4f();
  for (var c = 0u; c < params.inner; c++) {
    let d = x[base + c] - mean;
    squares += d * d;
  }
  return vec2f(mean, 1.0 / sqrt((squares.x + squares.y + squares.z + squares.w) / channels + params.epsilon));
}

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.width) { return; }
  var value = sum;
  let own = p * params.weightStride;
  if (params.hasBias != 0u) { value += weight[own + params.biasOffset + column]; }
  out[p * params.outStride + row * params.width + column] = value;
  // #repeat s STORE
  if (column >= params.width - params.stored) {
    let place = table[p * params.tableStride + row];
    let c = column - (params.width - params.stored);
    cache[p * params.cacheStride + (place.z + place.y) * params.stored + c] = value;
  }
  // #end
}

@compute @workgroup_size(SIDE * SIDE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.width + SIDE - 1u) / SIDE;
  let tile = lineOf(group);
  let row = tile / across * 4u * SIDE;
  if (row >= rows) { return; }
  let column = tile % across * SIDE;
  let tx = lane % SIDE;
  let ty = lane / SIDE;
  let k = params.inner;
  if (lane < 4u * SIDE) {
    let own = min(row + lane, rows - 1u);
    ofRows[lane] = statsOf(p * params.xStride + own * k);
    if (column == 0u && row + lane < rows) {
      stats[p * params.statsStride + 2u * own] = ofRows[lane].x;
      stats[p * params.statsStride + 2u * own + 1u] = ofRows[lane].y;
    }
  }
  workgroupBarrier();
  let xRow = row + lane / QUADS;
  let xQuad = lane % QUADS;
  let xAt = p * params.xStride + min(xRow, rows - 1u) * k;
  let own = ofRows[lane / QUADS];
  let parameters = p * params.weightStride;
  let wAt = parameters + params.weightOffset + min(column + tx, params.width - 1u);
  var sum = mat4x4f();
  for (var step = 0u; step < k; step += QUADS) {
    let c = step + xQuad;
    var value = vec4f();
    if (c < k) {
      value = weight[parameters + params.gammaOffset + c] * ((x[xAt + c] - own.x) * own.y);
      if (params.centred != 0u) { value += weight[parameters + params.betaOffset + c]; }
      if (column == 0u && xRow < rows) { normed[p * params.normedStride + xRow * k + c] = value; }
    }
    xTile[lane] = value;
    value = vec4f();
    if (step * 4u + ty < k * 4u) { value = weight[wAt + (step * 4u + ty) * params.width]; }
    weightTile[lane] = value;
    workgroupBarrier();
    for (var q = 0u; q < QUADS; q++) {
      let a = ty * SIDE + q;
      let b = q * 4u * SIDE + tx;
      sum += mat4x4f(weightTile[b], weightTile[b + SIDE], weightTile[b + 2u * SIDE], weightTile[b + 3u * SIDE]) *
        mat4x4f(xTile[a], xTile[a + QUADS], xTile[a + 2u * QUADS], xTile[a + 3u * QUADS]);
    }
    workgroupBarrier();
  }
  // #repeat i 4
  store(p, rows, row + 4u * ty + $iu, column + tx, sum[$i]);
  // #end
}
