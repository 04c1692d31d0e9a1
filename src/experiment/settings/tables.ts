/**
 * Every setting of an experiment, defined once: label, help, default, hard limits, slider, and whether it can change
 * while training. The schema (experiment.ts), the controls and the link keys (link.ts) all derive from these tables.
 * Hard limits cap everything that costs memory or time, since a link may come from anyone.
 */
export { ARM_SECTIONS, ARM_TABLE, PREMISES } from './armTable';
export { EXPERIMENT_TABLE } from './experimentTable';
export { LIMITS } from './limits';
