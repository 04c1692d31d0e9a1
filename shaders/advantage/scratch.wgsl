// Scratch of the operation `advantages`, through which its kernels pass on numbers: SCRATCH_COLUMNS a trajectory,
// then SCRATCH_TURN_TABLES tables with one number a turn [B,M], then tables with one number a token [B,T].
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"

// Reward (Σ of its token rewards, or of its weighted parts); KL summed over action tokens, nats. Counts: action tokens
// (as in advantage/mask.wgsl), tokens that the policy drew, thoughts too, all other tokens, turns.
const TRAJECTORY_REWARD = 0u;
const TRAJECTORY_KL = 1u;
const TRAJECTORY_LENGTH = 2u;
const TRAJECTORY_ACTIONS = 3u;
const TRAJECTORY_INPUT = 4u;
const TRAJECTORY_TURNS = 5u;
// Position of the first token after the prompt.
const TRAJECTORY_RESPONSE = 6u;
// Position behind the last action token; 0 without any.
const TRAJECTORY_LAST = 7u;
// 1 if the trajectory has a score and may be used.
const TRAJECTORY_COUNTED = 8u;
// 1 if its group is kept too.
const TRAJECTORY_USED = 9u;
const TRAJECTORY_GROUP = 10u;
// Score: reward with prediction reward, KL and length penalty. shaped = (score − baseline)·factor; with normalised
// parts, shaped is their sum less the KL.
const TRAJECTORY_SCORE = 11u;
const TRAJECTORY_BASELINE = 12u;
const TRAJECTORY_FACTOR = 13u;
const TRAJECTORY_SHAPED = 14u;
// Advantages of its action tokens: number, mean, Σ (x − mean)², smallest, largest.
const TRAJECTORY_SPREAD_COUNT = 15u;
const TRAJECTORY_SPREAD_MEAN = 16u;
const TRAJECTORY_SPREAD_SQUARES = 17u;
const TRAJECTORY_SPREAD_LOW = 18u;
const TRAJECTORY_SPREAD_HIGH = 19u;

const TURN_RETURN = 0u;
const TURN_STEP = 1u;

const TOKEN_KL = 0u;
// Optimal token baseline, by place: running weight W, and gain G (the token's credit).
const TOKEN_WEIGHT = 1u;
const TOKEN_GAIN = 2u;
// Number of action tokens before this one; number of turns that ended before it.
const TOKEN_ORDINAL = 3u;
const TOKEN_TURN = 4u;

fn trajectoryAt(p: u32, b: u32, column: u32) -> u32 {
  return p * params.scratchStride + b * SCRATCH_COLUMNS + column;
}

fn turnAt(p: u32, table: u32, b: u32, k: u32) -> u32 {
  let first = params.trajectories * SCRATCH_COLUMNS;
  return p * params.scratchStride + first + (table * params.trajectories + b) * params.turns + k;
}

fn tokenAt(p: u32, table: u32, b: u32, t: u32) -> u32 {
  let first = params.trajectories * (SCRATCH_COLUMNS + SCRATCH_TURN_TABLES * params.turns);
  return p * params.scratchStride + first + (table * params.trajectories + b) * params.context + t;
}

fn choiceOf(p: u32, column: u32) -> u32 { return u32(hyperOf(p, column)); }

fn isOptimalToken(p: u32) -> bool {
  return choiceOf(p, HYPER_ADVANTAGE_BASELINE) >= ADVANTAGE_BASELINE_OPTIMAL_TOKEN &&
    choiceOf(p, HYPER_ADVANTAGE_CREDIT) <= ADVANTAGE_CREDIT_REWARD_TO_GO;
}

fn isByCritic(credit: u32) -> bool {
  return credit == ADVANTAGE_CREDIT_GAE || credit == ADVANTAGE_CREDIT_BILEVEL_GAE;
}

// True for credits whose advantages are of turns, from tables of their group.
fn isByTurn(credit: u32) -> bool {
  return credit == ADVANTAGE_CREDIT_TREE || credit == ADVANTAGE_CREDIT_TURN_REWARDS;
}

// True if the critic's targets are the advantages again.
fn returnsAdvantage(credit: u32) -> bool {
  return credit == ADVANTAGE_CREDIT_OUTCOME || isByTurn(credit);
}

// True if trajectories are compared at the same number of action tokens, false if at the same position.
fn placesByOrdinal(p: u32) -> bool {
  return choiceOf(p, HYPER_ADVANTAGE_BASELINE) >= ADVANTAGE_BASELINE_OPTIMAL_TURN_TOKEN;
}
