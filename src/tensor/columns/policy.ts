/** Hyperparameter columns 52 … 79: surrogate, ratio, aggregation. Choices are stored as their index in the lists below. */
export const POLICY_COLUMNS = {} as const;
