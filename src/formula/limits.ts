/** Bounds of a formula: they keep compilation and one dispatch finite for any text. */
export const FORMULA_LIMITS = {
  /** Characters of a text. */
  characters: 4096,
  /** Parameters of a text. Their values are the first columns of a member's row of the parameter table. */
  parameters: 16,
  /** Values that a text may show. */
  shown: 16,
  /** Operations of the loss and the shown values, after equal ones are shared. */
  operations: 1000,
  /** Expressions inside each other: each takes some frames of the compiler's stack. */
  depth: 100,
  /** Terms of one sum, factors of one product and their like: a tree as deep as that. */
  chain: 300,
} as const;
