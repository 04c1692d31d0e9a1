// Normalises rows and multiplies them by a layer’s weights, on GPUs.
// forward/layer_norm.wgsl and forward/linear_tiled.wgsl in one dispatch, to the same bits: out = normed·weight + bias,
// normed = gamma·(x − mean)·rstd + beta. Scale, shift, weights and biases lie in one tensor. One thread per row takes
// its mean and rstd, unless forward/layer_norm_tiled.wgsl did; tiles are normalised as they are read, and the
// workgroups of the first columns keep normed and stats. The product of queries, keys and values turns queries and keys
// with ROTARY 1, as forward/rotary.wgsl, and with STORE 1 puts keys and values into the cache too, as
// decoding/store_key_value.wgsl. x, normed [P,R,K], stats [P,R,2], weight [K,N], out [P,R,N], cache [P,capacity,S].
// Sizes: SIDE, ROTARY, STORE, PLACED (1 with either), a type’s. Floor: 2·R·K·N flops, 4·(R·K·N/(4·SIDE) +
// K·N·R/(4·SIDE) + R·N) bytes.
// #include "forward/product.wgsl"

// #write out, normed: vec4f; stats: f32
// #read x: vec4f; weight: Weights
// #params inner (K / 4), width (N / 4), weightOffset, biasOffset, gammaOffset, betaOffset, hasBias, centred: u32
// #params given (stats are given): u32; epsilon: f32
// #repeat s PLACED
// #read table: vec4u
// #end
// #repeat s STORE
// #write cache: vec4f
// #params stored (S / 4): u32
// #end
// #repeat s ROTARY
// #include "forward/turn.wgsl"
// #end

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
  if (params.hasBias != 0u) { value += wide(weight[own + params.biasOffset + column]); }
  // #repeat s PLACED
  let place = table[p * params.tableStride + row];
  // #end
  // #repeat s ROTARY
  if (column < params.turned) { value = turn(value, place.y, column); }
  // #end
  out[p * params.outStride + row * params.width + column] = value;
  // #repeat s STORE
  if (column >= params.width - params.stored) {
    let c = column - (params.width - params.stored);
    cache[p * params.cacheStride + (place.z + place.y) * params.stored + c] = value;
  }
  // #end
}

// Means and deviations of the workgroup's rows.
fn prepare(p: u32, rows: u32, row: u32, column: u32, lane: u32) {
  if (lane < 4u * SIDE) {
    let own = min(row + lane, rows - 1u);
    let s = p * params.statsStride + 2u * own;
    if (params.given != 0u) {
      ofRows[lane] = vec2f(stats[s], stats[s + 1u]);
    } else {
      ofRows[lane] = statsOf(p * params.xStride + own * params.inner);
      if (column == 0u && row + lane < rows) {
        stats[s] = ofRows[lane].x;
        stats[s + 1u] = ofRows[lane].y;
      }
    }
  }
  workgroupBarrier();
}

// Quad c of the row `item` below `row`, normalised.
fn input(p: u32, rows: u32, row: u32, column: u32, item: u32, c: u32) -> vec4f {
  let own = ofRows[item];
  let parameters = p * params.weightStride;
  let here = x[p * params.xStride + min(row + item, rows - 1u) * params.inner + c];
  var value = wide(weight[parameters + params.gammaOffset + c]) * ((here - own.x) * own.y);
  if (params.centred != 0u) { value += wide(weight[parameters + params.betaOffset + c]); }
  if (column == 0u && row + item < rows) { normed[p * params.normedStride + (row + item) * params.inner + c] = value; }
  return value;
}

@compute @workgroup_size(SIDE * SIDE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) { product(group, lane); }
