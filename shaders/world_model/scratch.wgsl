// A trajectory's part of the scratch of worldModelWeights: (selected, observation and warning, action tokens, turns, a
// number for each of its turns): first the mean old entropy of its actions, then 1 if it is among the most uncertain.

const SELECTED = 0u;
const OBSERVATIONS = 1u;
const ACTIONS = 2u;
const TURNS = 3u;
const FIRST_TURN = 4u;

fn scratchAt(p: u32, b: u32, what: u32) -> u32 {
  return p * params.scratchStride + b * params.trajectoryStride + what;
}

fn choosesTurns(p: u32) -> bool {
  let share = hyperOf(p, HYPER_WORLD_MODEL_TURN_SHARE);
  return share > 0.0 && share < 1.0;
}
