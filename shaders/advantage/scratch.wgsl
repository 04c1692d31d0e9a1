// The scratch of the operation `advantages`, written and read by its kernels one after the other: TRAJECTORY_COLUMNS
// numbers a trajectory, then tables of a number a turn [B,M], then tables of a number a token [B,T].
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"

// The reward itself (Σ of its tokens', or of its weighted parts); the KL of its tokens; and counts: action tokens
// (those an advantage is for), tokens whose role is action, all others, turns.
const TRAJECTORY_REWARD = 0u;
const TRAJECTORY_KL = 1u;
const TRAJECTORY_LENGTH = 2u;
const TRAJECTORY_ACTIONS = 3u;
const TRAJECTORY_INPUT = 4u;
const TRAJECTORY_TURNS = 5u;
// Position of the first token after the prompt; of the last action token, counted from 1 (0: none).
const TRAJECTORY_RESPONSE = 6u;
const TRAJECTORY_LAST = 7u;
// 1 where it has a score and is usable; 1 where its group is kept as well.
const TRAJECTORY_COUNTED = 8u;
const TRAJECTORY_USED = 9u;
const TRAJECTORY_GROUP = 10u;
// (score − baseline)·factor = shaped; the score is the reward and all that is counted with it.
const TRAJECTORY_SCORE = 11u;
const TRAJECTORY_BASELINE = 12u;
const TRAJECTORY_FACTOR = 13u;
const TRAJECTORY_SHAPED = 14u;
// Of the advantages of its action tokens: how many, mean, Σ (x − mean)², smallest, largest.
const TRAJECTORY_SPREAD_COUNT = 15u;
const TRAJECTORY_SPREAD_MEAN = 16u;
const TRAJECTORY_SPREAD_SQUARES = 17u;
const TRAJECTORY_SPREAD_LOW = 18u;
const TRAJECTORY_SPREAD_HIGH = 19u;
const TRAJECTORY_COLUMNS = 20u;

const TURN_RETURN = 0u;
const TURN_STEP = 1u;
const TURN_TABLES = 2u;

const TOKEN_KL = 0u;
// The running weight and the reward-to-go of the optimal token baseline, by place.
const TOKEN_WEIGHT = 1u;
const TOKEN_GAIN = 2u;
// Action tokens before this one; turns that ended before it.
const TOKEN_ORDINAL = 3u;
const TOKEN_TURN = 4u;

fn trajectoryAt(p: u32, b: u32, column: u32) -> u32 {
  return p * params.scratchStride + b * TRAJECTORY_COLUMNS + column;
}

fn turnAt(p: u32, table: u32, b: u32, k: u32) -> u32 {
  let first = params.trajectories * TRAJECTORY_COLUMNS;
  return p * params.scratchStride + first + (table * params.trajectories + b) * params.turns + k;
}

fn tokenAt(p: u32, table: u32, b: u32, t: u32) -> u32 {
  let first = params.trajectories * (TRAJECTORY_COLUMNS + TURN_TABLES * params.turns);
  return p * params.scratchStride + first + (table * params.trajectories + b) * params.context + t;
}

fn choiceOf(p: u32, column: u32) -> u32 { return u32(hyperOf(p, column)); }

fn isOptimalToken(p: u32) -> bool {
  return choiceOf(p, HYPER_ADVANTAGE_BASELINE) >= ADVANTAGE_BASELINE_OPTIMAL_TOKEN &&
    choiceOf(p, HYPER_ADVANTAGE_CREDIT) <= ADVANTAGE_CREDIT_REWARD_TO_GO;
}

// Whether trajectories are compared at the same number of action tokens rather than at the same position.
fn placesByOrdinal(p: u32) -> bool {
  return choiceOf(p, HYPER_ADVANTAGE_BASELINE) >= ADVANTAGE_BASELINE_OPTIMAL_TURN_TOKEN;
}
