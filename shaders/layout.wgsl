// The layouts shared with TypeScript (src/tensor/layout.ts, src/foundation/roles.ts); a test compares the numbers.
// A row is vec4u(token, position, keyBase, rowMeta), rowMeta = role | legal set << 4 | sequence << 12.

const ROLE_PROMPT = 0u;
const ROLE_ACTION = 1u;
const ROLE_OBSERVATION = 2u;
const ROLE_WARNING = 3u;

const HYPER_LEARNING_RATE = 0u;
const HYPER_BETA1 = 1u;
const HYPER_BETA2 = 2u;
const HYPER_EPSILON = 3u;
const HYPER_WEIGHT_DECAY = 4u;
const HYPER_MAX_GRAD_NORM = 5u;
const HYPER_CLIP_LOW = 6u;
const HYPER_CLIP_HIGH = 7u;
const HYPER_KL_COEFFICIENT = 8u;
const HYPER_ENTROPY_COEFFICIENT = 9u;
const HYPER_TEMPERATURE = 10u;
const HYPER_ADVANTAGE_EPSILON = 11u;
const HYPER_POLICY_GRADIENT = 12u;
const HYPER_CROSS_ENTROPY = 16u;
const HYPER_VALUE_COEFFICIENT = 118u;
const HYPER_PREDICTION_REWARD = 119u;
const HYPER_COLUMNS = 128u;

const LOG_RATIO_LIMIT = 20u;
const GRADIENT_CHUNK = 16u;

fn roleOf(rowMeta: u32) -> u32 { return rowMeta & 15u; }
fn legalSetOf(rowMeta: u32) -> u32 { return (rowMeta >> 4u) & 255u; }
fn sequenceOf(rowMeta: u32) -> u32 { return rowMeta >> 12u; }
