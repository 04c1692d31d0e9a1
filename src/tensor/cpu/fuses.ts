/**
 * Detection of fused multiply-add. An engine without relaxed SIMD refuses the module below; one that has it may still round
 * twice, on processors without the instruction, so what it computes is looked at.
 */

/** (module (func (export "f") (param f32 f32) (result f32) ‹lane 0 of f32x4.relaxed_madd of the first twice and the second›)) */
const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // The type (f32, f32) → f32; one function of it; its export.
  ...[0x01, 0x07, 0x01, 0x60, 0x02, 0x7d, 0x7d, 0x01, 0x7d],
  ...[0x03, 0x02, 0x01, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
  // Its code: three times local.get and f32x4.splat, relaxed_madd, extract_lane 0, end.
  ...[0x0a, 0x16, 0x01, 0x14, 0x00],
  ...[0x20, 0x00, 0xfd, 0x13, 0x20, 0x00, 0xfd, 0x13, 0x20, 0x01, 0xfd, 0x13],
  ...[0xfd, 0x85, 0x02, 0xfd, 0x1f, 0x00, 0x0b],
]);

let known: boolean | undefined;

/** True where WebAssembly rounds a·b + c once. */
export function fuses(): boolean {
  known ??= WebAssembly.validate(MODULE) && roundsOnce();
  return known;
}

/** Trial: (1 + 2⁻¹²)² is 1 + 2⁻¹¹ + 2⁻²⁴, of which float32 loses the last term, unless it is rounded after the sum alone. */
function roundsOnce(): boolean {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE));
  const f = exports.f as (a: number, c: number) => number;
  return f(1 + 2 ** -12, -1 - 2 ** -11) === 2 ** -24;
}
