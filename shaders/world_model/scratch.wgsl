// One trajectory's scratch in worldModelWeights: numbers of selected, of observation and warning, and of action tokens,
// number of turns; then one number a turn: its actions' mean old entropy, which world_model/turns.wgsl makes 1 or 0.

const SELECTED = 0u;
const OBSERVATIONS = 1u;
const ACTIONS = 2u;
const TURNS = 3u;

fn scratchAt(p: u32, b: u32, what: u32) -> u32 {
  return p * params.scratchStride + b * params.trajectoryStride + what;
}

fn choosesTurns(p: u32) -> bool {
  let share = hyperOf(p, HYPER_WORLD_MODEL_TURN_SHARE);
  return share > 0.0 && share < 1.0;
}
