/** Hyperparameter columns 20 … 51: how advantages are made. Choices are stored as their index in the lists below. */
export const ADVANTAGE_COLUMNS = {} as const;
