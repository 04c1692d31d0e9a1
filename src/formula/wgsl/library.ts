/**
 * The functions that formulas need besides WGSL's own, to a few units in the last place of float32. WGSL leaves open what
 * its functions give beyond their range, and lets a compiler assume that floats are finite: NaN and the infinities are
 * made and told by their bits, so that NaN comes through instead of being hidden. Series: Abramowitz & Stegun 4.1.27
 * (atanh form of the logarithm) and 4.2.1.
 */

interface Part {
  readonly name: string;
  readonly text: string;
}

const PARTS: readonly Part[] = [
  {
    name: 'notANumber',
    text: `// A variable, because WGSL refuses constants that are not finite.
var<private> nanBits = 0x7fc00000u;
fn notANumber() -> f32 { return bitcast<f32>(nanBits); }`,
  },
  {
    name: 'infinity',
    text: `var<private> infinityBits = 0x7f800000u;
fn infinity() -> f32 { return bitcast<f32>(infinityBits); }`,
  },
  { name: 'isNan', text: 'fn isNan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }' },
  {
    name: 'isInfinite',
    text: 'fn isInfinite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u; }',
  },
  {
    name: 'minOf',
    text: `// The smaller one; of equal ones the first.
fn minOf(a: f32, b: f32) -> f32 { return select(select(b, a, a <= b), notANumber(), isNan(a) || isNan(b)); }`,
  },
  {
    name: 'maxOf',
    text: `// The larger one; of equal ones the first.
fn maxOf(a: f32, b: f32) -> f32 { return select(select(b, a, b <= a), notANumber(), isNan(a) || isNan(b)); }`,
  },
  {
    name: 'precedes',
    text: `// Whether x takes the place of the best of a reduction so far: no better one, but NaN.
fn precedes(x: f32, best: f32, isBetter: bool) -> bool { return !isNan(best) && (isBetter || isNan(x)); }`,
  },
  { name: 'signOf', text: 'fn signOf(x: f32) -> f32 { return select(select(x, -1.0, x < 0.0), 1.0, x > 0.0); }' },
  {
    name: 'gated',
    text: '// a·b, but 0 where a is 0, whatever b is.\nfn gated(a: f32, b: f32) -> f32 { return select(a * b, 0.0, a == 0.0); }',
  },
  {
    name: 'sqrtOf',
    text: 'fn sqrtOf(x: f32) -> f32 { return select(select(sqrt(x), notANumber(), x < 0.0 || isNan(x)), x, x == 0.0 || x == infinity()); }',
  },
  {
    name: 'expOf',
    text: `fn expOf(x: f32) -> f32 {
  if (isNan(x)) { return x; }
  if (x > 88.72283) { return infinity(); }
  if (x < -103.97208) { return 0.0; }
  return exp(x);
}`,
  },
  {
    name: 'log1pSeries',
    text: `// log(1 + x) for −1/2 ≤ x ≤ 1: 2·atanh(x/(2 + x)).
fn log1pSeries(x: f32) -> f32 {
  let s = x / (2.0 + x);
  let z = s * s;
  var sum = 1.0 / 15.0;
  sum = sum * z + 1.0 / 13.0;
  sum = sum * z + 1.0 / 11.0;
  sum = sum * z + 1.0 / 9.0;
  sum = sum * z + 1.0 / 7.0;
  sum = sum * z + 1.0 / 5.0;
  sum = sum * z + 1.0 / 3.0;
  return 2.0 * (s + s * z * sum);
}`,
  },
  {
    name: 'logOf',
    text: `fn logOf(x: f32) -> f32 {
  if (isNan(x) || x < 0.0) { return notANumber(); }
  if (x == 0.0) { return -infinity(); }
  if (isInfinite(x)) { return x; }
  if (x >= 0.5 && x <= 2.0) { return log1pSeries(x - 1.0); }
  return log(x);
}`,
  },
  {
    name: 'log1pOf',
    text: `fn log1pOf(x: f32) -> f32 {
  if (x >= -0.5 && x <= 1.0) { return log1pSeries(x); }
  return logOf(1.0 + x);
}`,
  },
  {
    name: 'expm1Of',
    text: `fn expm1Of(x: f32) -> f32 {
  if (abs(x) > 0.5 || isNan(x)) { return expOf(x) - 1.0; }
  var sum = 1.0 / 362880.0;
  sum = sum * x + 1.0 / 40320.0;
  sum = sum * x + 1.0 / 5040.0;
  sum = sum * x + 1.0 / 720.0;
  sum = sum * x + 1.0 / 120.0;
  sum = sum * x + 1.0 / 24.0;
  sum = sum * x + 1.0 / 6.0;
  sum = sum * x + 0.5;
  return x + x * x * sum;
}`,
  },
  {
    name: 'sigmoidOf',
    text: `fn sigmoidOf(x: f32) -> f32 {
  let e = expOf(-abs(x));
  return select(e, 1.0, x >= 0.0) / (1.0 + e);
}`,
  },
  {
    name: 'tanhOf',
    text: `fn tanhOf(x: f32) -> f32 {
  let e = expm1Of(-2.0 * abs(x));
  return select(1.0, -1.0, x >= 0.0) * e / (2.0 + e);
}`,
  },
  {
    name: 'softplusOf',
    text: 'fn softplusOf(x: f32) -> f32 { return select(0.0, x, x > 0.0) + log1pOf(expOf(-abs(x))); }',
  },
  {
    name: 'powOf',
    text: `// Whole powers of negative numbers are numbers, others NaN; everything to the power of 0 is 1.
fn powOf(a: f32, b: f32) -> f32 {
  if (b == 0.0) { return 1.0; }
  if (isNan(a) || isNan(b) || (abs(a) == 1.0 && isInfinite(b))) { return notANumber(); }
  if (a == 1.0) { return 1.0; }
  let isWhole = b == floor(b);
  if (a < 0.0 && !isWhole && !isInfinite(a)) { return notANumber(); }
  let isOdd = isWhole && abs(b) < 16777216.0 && abs(b) - 2.0 * floor(0.5 * abs(b)) == 1.0;
  let size = expOf(b * logOf(abs(a)));
  return select(size, -size, isOdd && (bitcast<u32>(a) >> 31u) == 1u);
}`,
  },
  {
    name: 'wholePower',
    text: `fn wholePower(base: f32, exponent: u32) -> f32 {
  var product = 1.0;
  for (var i = 0u; i < exponent; i++) { product *= base; }
  return product;
}`,
  },
];

/** Every word that these functions use. */
export const LIBRARY_WORDS: readonly string[] = PARTS.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []);

/** The functions that a text uses, and those that they use, each before its users. */
export function libraryFor(code: string): string {
  let used = code;
  const parts: string[] = [];
  for (const { name, text } of [...PARTS].reverse()) {
    if (!new RegExp(`\\b${name}\\(`).test(used)) continue;
    parts.unshift(text);
    used += text;
  }
  return parts.join('\n');
}
