/** The policy-gradient loss: surrogate, ratio, aggregation, correction for decoding, and imitation of successes. */
import { AGGREGATION } from './aggregation';
import { CORRECTION } from './correction';
import { RATIO } from './ratio';
import { SUCCESSES } from './successes';
import { SURROGATE } from './surrogateNumbers';

export const POLICY_OBJECTIVE = { ...SURROGATE, ...RATIO, ...AGGREGATION, ...CORRECTION, ...SUCCESSES } as const;
