// Grids longer than 65,535 workgroups are folded into y: the workgroup's index along the whole line. A dispatch may be
// a range of it, from firstGroup on.
fn lineOf(group: vec3u) -> u32 { return params.firstGroup + group.x + group.y * params.gridWidth; }
