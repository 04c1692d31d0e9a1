// Columns of src/tensor/columns/batch.ts: the dense description of a batch, and the terms of the loss. A test compares
// the numbers.

const NO_ROLE = 15u;

const OUTCOME_BASELINE = 0u;
const OUTCOME_SOLVED = 1u;
const OUTCOME_VALID = 2u;
const OUTCOME_ENVIRONMENT = 3u;
const OUTCOME_TURNS = 4u;
const OUTCOME_USABLE = 5u;
const OUTCOME_PART = 8u;
const OUTCOME_COLUMNS = 16u;
const REWARD_PARTS = 8u;

const GROUP_MEAN = 0u;
const GROUP_DEVIATION = 1u;
const GROUP_EQUAL = 2u;
const GROUP_KEPT = 3u;
const GROUP_COLUMNS = 4u;

const TERM_POLICY_LOSS = 0u;
const TERM_CLIPPED = 1u;
const TERM_CLIPPED_LOW = 2u;
const TERM_CLIPPED_HIGH = 3u;
const TERM_CLIPPED_DUAL = 4u;
const TERM_LOG_RATIO = 5u;
const TERM_KL_OLD = 6u;
const TERM_MISMATCH = 7u;
const TERM_CROSS_ENTROPY_LOSS = 8u;
const TERM_KL = 9u;
const TERM_ENTROPY = 10u;
const TERM_OBSERVATION_NLL = 11u;
const TERM_WARNING_NLL = 12u;
const TERM_REGULARISER_LOSS = 13u;
const TERM_VALUE_LOSS = 14u;
const TERM_VALUE_CLIPPED = 15u;
const TERM_RATIO = 16u;
const TERM_OUTSIDE = 17u;
const TERM_DECODING_LOG_RATIO = 18u;
const TERM_KL_ESTIMATE = 19u;
const TERM_COLUMNS = 20u;
