// Gives each token its share of the reward: its advantage and its return.
// Third kernel of `advantages`: credit. advantage and returns [P,B,T] before token baselines and whitening, and the
// return of each turn [P,B,M] (GiGPO, tree; turn-rewards: its own reward). Credit outcome: the shaped score; of turns:
// 0. Else δ_t = r_t + γ·V_next − V_t and A_t = δ_t + γλ·A_next (reward-to-go: V = 0, λ = 1); tokens that are not
// counted pass V_next and A_next on. GAE of two levels: first between the ends of turns, then inside each turn. A
// workgroup per trajectory, a run of tokens a lane: each lane composes the maps of its run, the scan joins lanes, each
// lane writes its run. Floor: 20·B·T bytes.
// #include "lib/grid.wgsl"
// #include "advantage/scratch.wgsl"
// #include "advantage/mask.wgsl"
// #include "advantage/affine_scan.wgsl"

// #write scratch, advantage, returns: f32
// #read roles: u32; tokenReward, oldValue: f32
// #params trajectories, context, turns: u32

// Kinds of pass over the tokens.
const PASS_TURN_ENDS = 0u;
const PASS_TOKENS = 1u;
const PASS_STEPS = 2u;

struct Pass {
  kind: u32,
  credit: u32,
  clock: u32,
  discount: f32,
  lambda: f32,
}

// Reward of an action token, less rewardKl · its KL. Token rewards are scaled by factor, and the last action token also
// takes (score − reward − baseline) · factor. Otherwise the last action token takes the whole shaped score.
fn shapedReward(p: u32, b: u32, t: u32) -> f32 {
  let isLast = f32(t + 1u) == scratch[trajectoryAt(p, b, TRAJECTORY_LAST)];
  var reward = 0.0;
  if (choiceOf(p, HYPER_REWARD_SOURCE) == REWARD_SOURCE_TOKENS) {
    reward = tokenReward[p * params.tokenRewardStride + b * params.context + t];
    if (isLast) {
      let added = scratch[trajectoryAt(p, b, TRAJECTORY_SCORE)] - scratch[trajectoryAt(p, b, TRAJECTORY_REWARD)];
      reward += added - scratch[trajectoryAt(p, b, TRAJECTORY_BASELINE)];
    }
    reward *= scratch[trajectoryAt(p, b, TRAJECTORY_FACTOR)];
  } else if (isLast) {
    reward = scratch[trajectoryAt(p, b, TRAJECTORY_SHAPED)];
  }
  return reward - hyperOf(p, HYPER_REWARD_KL) * scratch[tokenAt(p, TOKEN_KL, b, t)];
}

fn valueOf(p: u32, b: u32, t: u32) -> f32 { return oldValue[p * params.oldValueStride + b * params.context + t]; }

// A token's map of the running (value, sum).
fn tokenMap(p: u32, b: u32, t: u32, pass_: Pass) -> Affine {
  let role = roleAt(p, b, t);
  let isAction = isMasked(p, role);
  let isEnd = endsTurn(p, b, t);
  if (pass_.kind == PASS_STEPS) {
    var reward = 0.0;
    if (isAction) {
      reward = tokenReward[p * params.tokenRewardStride + b * params.context + t];
      if (isByTurn(pass_.credit)) { reward = shapedReward(p, b, t); }
    }
    return Affine(select(1.0, pass_.discount, isEnd), 0.0, reward, 0.0, 1.0);
  }
  let isBilevel = pass_.credit == ADVANTAGE_CREDIT_BILEVEL_GAE;
  let isCounted = isAction || (isTarget(role) && pass_.clock == CREDIT_CLOCK_EVERY_TOKEN && !isBilevel);
  if (!isCounted || (pass_.kind == PASS_TURN_ENDS && !isEnd)) { return IDENTITY; }
  var value = 0.0;
  var reward = 0.0;
  if (isAction) {
    if (isByCritic(pass_.credit)) { value = valueOf(p, b, t); }
    // At the end of a turn the sum starts again, from the one that the pass over turns left in advantage.
    if (isBilevel && isEnd && pass_.kind == PASS_TOKENS) {
      return Affine(0.0, 0.0, advantage[p * params.advantageStride + b * params.context + t], value, 1.0);
    }
    reward = shapedReward(p, b, t);
  }
  let isStep = pass_.clock != CREDIT_CLOCK_TURNS || isEnd || isBilevel;
  let discount = select(1.0, pass_.discount, isStep);
  return Affine(discount * select(1.0, pass_.lambda, isStep), discount, reward - value, value, 1.0);
}

fn lambdaOf(p: u32, b: u32) -> f32 {
  let alpha = hyperOf(p, HYPER_GAE_LAMBDA_LENGTH);
  if (alpha <= 0.0) { return hyperOf(p, HYPER_GAE_LAMBDA); }
  return max(0.0, 1.0 - 1.0 / (alpha * max(scratch[trajectoryAt(p, b, TRAJECTORY_LENGTH)], 1.0)));
}

// Writes a token's sum to advantage, to returns (with its value) and to the gains of the optimal token baseline.
fn writeSum(p: u32, b: u32, t: u32, sum: f32, pass_: Pass, toAdvantage: bool, toReturns: bool) {
  let role = roleAt(p, b, t);
  let isAction = isMasked(p, role);
  let token = b * params.context + t;
  let offMask = choiceOf(p, HYPER_OFF_MASK);
  if (toReturns) {
    var result = 0.0;
    if (isAction || (isTarget(role) && offMask != OFF_MASK_ZERO)) {
      result = sum;
      let hasValue = isAction || pass_.clock != CREDIT_CLOCK_EVERY_TOKEN;
      if (hasValue && isByCritic(pass_.credit)) { result += valueOf(p, b, t); }
    }
    returns[p * params.returnsStride + token] = result;
  }
  if (toAdvantage) {
    let isWritten = isAction || (isTarget(role) && offMask == OFF_MASK_CARRIED);
    advantage[p * params.advantageStride + token] = select(0.0, sum, isWritten);
    if (isAction && isOptimalToken(p)) {
      let ordinal = u32(scratch[tokenAt(p, TOKEN_ORDINAL, b, t)]);
      scratch[tokenAt(p, TOKEN_GAIN, b, select(t, ordinal, placesByOrdinal(p)))] = sum;
    }
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let b = lineOf(group);
  if (b >= params.trajectories) { return; }
  let run = (params.context + LANES - 1u) / LANES;
  let first = min(lane * run, params.context);
  let end = min(first + run, params.context);
  let credit = choiceOf(p, HYPER_ADVANTAGE_CREDIT);
  let hasSteps = isByTurn(credit) || hyperOf(p, HYPER_STEP_WEIGHT) != 0.0;
  let isBilevel = credit == ADVANTAGE_CREDIT_BILEVEL_GAE;
  let isSplit = isByCritic(credit) && choiceOf(p, HYPER_RETURN_LAMBDA) == RETURN_LAMBDA_ONE;
  let turns = min(params.turns, u32(scratch[trajectoryAt(p, b, TRAJECTORY_TURNS)]));
  let all = Pass(PASS_TOKENS, credit, choiceOf(p, HYPER_CREDIT_CLOCK), hyperOf(p, HYPER_DISCOUNT), 1.0);

  if (returnsAdvantage(credit)) {
    let shaped = select(scratch[trajectoryAt(p, b, TRAJECTORY_SHAPED)], 0.0, isByTurn(credit));
    for (var t = first; t < end; t++) {
      let sum = select(0.0, shaped, isMasked(p, roleAt(p, b, t)));
      writeSum(p, b, t, sum, all, true, true);
    }
  }

  // Rounds 0 and 1: the critic's targets with λ = 1; 2 and 3: advantages; 4: steps. 0 and 2: ends of turns.
  for (var round = 0u; round < 5u; round++) {
    let isTurns = round == 0u || round == 2u;
    let isReturns = round < 2u;
    var pass_ = all;
    if (!isReturns && isByCritic(credit)) { pass_.lambda = lambdaOf(p, b); }
    if (isTurns) { pass_.kind = PASS_TURN_ENDS; }
    if (round == 4u) { pass_.kind = PASS_STEPS; }
    if (isTurns || round == 4u) { pass_.discount = hyperOf(p, HYPER_TURN_DISCOUNT); }
    // The reward of a turn alone: nothing of later ones.
    if (round == 4u && credit == ADVANTAGE_CREDIT_TURN_REWARDS) { pass_.discount = 0.0; }
    var isWanted = !returnsAdvantage(credit) && (!isReturns || isSplit) && (!isTurns || isBilevel);
    if (round == 4u) { isWanted = hasSteps; }
    if (!isWanted) { continue; }

    var own = IDENTITY;
    for (var t = end; t > first; t--) { own = compose(own, tokenMap(p, b, t - 1u, pass_)); }
    var state = scanFromEnd(lane, own);
    for (var at = end; at > first; at--) {
      let t = at - 1u;
      let map = tokenMap(p, b, t, pass_);
      state.y = map.alpha * state.y + map.beta * state.x + map.kappa;
      if (map.holds != 0.0) { state.x = map.value; }
      if (isTurns) {
        if (endsTurn(p, b, t)) { advantage[p * params.advantageStride + b * params.context + t] = state.y; }
      } else if (round == 4u) {
        let k = u32(scratch[tokenAt(p, TOKEN_TURN, b, t)]);
        // At a turn's first token the sum covers the whole turn and all later ones.
        var isFirst = t == 0u;
        if (t > 0u) { isFirst = endsTurn(p, b, t - 1u); }
        if (isFirst && k < turns) { scratch[turnAt(p, TURN_RETURN, b, k)] = state.y; }
      } else {
        writeSum(p, b, t, state.y, pass_, !isReturns, isReturns || !isSplit);
      }
    }
  }
}
