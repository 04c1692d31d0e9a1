/** Names of seeds: their numbers, from 0, as on the command line and in every file. */
export const seedNames = (count: number): string[] => Array.from({ length: count }, (_, seed) => String(seed));
