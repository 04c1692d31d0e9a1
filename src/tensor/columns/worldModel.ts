/** Hyperparameter columns 80 … 111: KL, entropy, world-model losses. Choices are stored as their index in the lists below. */
export const WORLD_MODEL_COLUMNS = {} as const;
