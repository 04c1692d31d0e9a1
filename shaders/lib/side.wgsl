// A workgroup's threads a side, 4 rows and 4 columns each, and quads of a step: 16 and 4, or 8 and 2.
const SIDE = $SIDEu;
const QUADS = SIDE / 4u;
