/** Shader texts that are no files, by name. */
import { CONSTANTS } from './constants';
import { FORM_WGSL } from './forms';
import { SURROGATE_WGSL } from './surrogates';

export const MADE: readonly (readonly [name: string, text: string])[] = [
  ['constants.wgsl', CONSTANTS],
  ['policy_objective/surrogate.wgsl', SURROGATE_WGSL],
  ['world_model/form.wgsl', FORM_WGSL],
];
