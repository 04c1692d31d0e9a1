/** A problem of an experiment, as a person reads it, and how one is found. */
export interface Problem {
  /** Place: `policy.width`, `arms.world-model.ce.observation`; empty for the experiment as a whole. */
  readonly path: string;
  readonly message: string;
}

/** No problem where the experiment fits, else one. */
export const within = (path: string, fits: boolean, message: string): Problem[] => (fits ? [] : [{ path, message }]);
