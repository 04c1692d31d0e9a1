// True for finite x, judged by its bits: a compiler may assume that floats are finite and drop a comparison.
fn isFinite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
