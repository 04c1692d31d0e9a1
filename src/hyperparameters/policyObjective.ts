/** The policy-gradient loss: surrogate, ratio, aggregation, correction for decoding. */
import { AGGREGATION } from './aggregation';
import { CORRECTION } from './correction';
import { RATIO } from './ratio';
import { SURROGATE } from './surrogateNumbers';

export const POLICY_OBJECTIVE = { ...SURROGATE, ...RATIO, ...AGGREGATION, ...CORRECTION } as const;
