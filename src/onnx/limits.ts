/** What a model's file may cost before it is refused. */
export interface ModelLimits {
  readonly bytes: number;
  /** Fields of messages and numbers in lists, all together. */
  readonly items: number;
  readonly nodes: number;
  /** Bytes of initialisers. */
  readonly initialiserBytes: number;
}

/** A policy as large as an experiment allows takes 400 operators and 256 MiB. */
export const POLICY_LIMITS: ModelLimits = {
  bytes: 2 ** 28 + 2 ** 22,
  items: 2 ** 16,
  nodes: 2 ** 11,
  initialiserBytes: 2 ** 28 + 2 ** 20,
};
