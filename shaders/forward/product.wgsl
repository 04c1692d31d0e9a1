// Product of rows and a layer's weights, on GPUs, for kernels that read their rows in different ways: `prepare`,
// `input` and `store` are theirs. A workgroup of SIDE × SIDE threads computes 4·SIDE rows × 4·SIDE columns from tiles
// of SIDE steps of K in workgroup memory; each thread holds 4 × 4.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/side.wgsl"
// #include "lib/weights.wgsl"

var<workgroup> xTile: array<vec4f, SIDE * SIDE>; // 4·SIDE rows × QUADS of K
var<workgroup> weightTile: array<vec4f, SIDE * SIDE>; // SIDE steps of K × SIDE quads of N

fn product(group: vec3u, lane: u32) {
  let p = memberOf(group);
  let rows = rowCount(p);
  let across = (params.width + SIDE - 1u) / SIDE;
  let tile = lineOf(group);
  let row = tile / across * 4u * SIDE;
  if (row >= rows) { return; }
  let column = tile % across * SIDE;
  let tx = lane % SIDE;
  let ty = lane / SIDE;
  let k = params.inner;
  prepare(p, rows, row, column, lane);
  let item = lane / QUADS;
  let xQuad = lane % QUADS;
  let wAt = p * params.weightStride + params.weightOffset + min(column + tx, params.width - 1u);
  var sum = mat4x4f();
  for (var step = 0u; step < k; step += QUADS) {
    var value = vec4f();
    if (step + xQuad < k) { value = input(p, rows, row, column, item, step + xQuad); }
    xTile[lane] = value;
    value = vec4f();
    if (step * 4u + ty < k * 4u) { value = wide(weight[wAt + (step * 4u + ty) * params.width]); }
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
