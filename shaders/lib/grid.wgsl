// Grids longer than 65,535 workgroups are folded into y: the workgroup's index along the whole line.
fn lineOf(group: vec3u) -> u32 { return group.x + group.y * params.gridWidth; }
