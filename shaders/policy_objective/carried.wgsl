// Columns of a row's terms in which policy_objective/segments_tiled.wgsl leaves numbers for
// policy_objective/objective_tiled.wgsl: the segment's four, the row's own, its role as a target and its place in the
// member's batch (−1 for a trajectory's first token).
const CARRIED_LOG_RATIO = 0u;
const CARRIED_DECODING = 1u;
const CARRIED_JOINT = 2u;
const CARRIED_SELECTION = 3u;
const CARRIED_LOG_PROB = 4u;
const CARRIED_OLD_LOG_PROB = 5u;
const CARRIED_BEHAVIOUR_LOG_PROB = 6u;
const CARRIED_ADVANTAGE = 7u;
const CARRIED_POLICY_WEIGHT = 8u;
const CARRIED_ROLE = 9u;
const CARRIED_PLACE = 10u;
