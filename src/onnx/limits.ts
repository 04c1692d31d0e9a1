/** Limits of a model's file; a larger one is refused. */
export interface ModelLimits {
  readonly bytes: number;
  /** Fields of messages and numbers in lists, counted together. */
  readonly items: number;
  readonly nodes: number;
  /** Bytes of initialisers. */
  readonly initialiserBytes: number;
}

/** Limits of policies: the largest that an experiment allows has 400 operators and 256 MiB. */
export const POLICY_LIMITS: ModelLimits = {
  bytes: 2 ** 28 + 2 ** 22,
  items: 2 ** 16,
  nodes: 2 ** 11,
  initialiserBytes: 2 ** 28 + 2 ** 20,
};
