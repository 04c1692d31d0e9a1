/** Largest number of characters of a world's text. */
export const LONGEST_WORLD = 24_576;
