/** Faults that are planted in each form, and what becomes of them: a test plants each, and docs/batch.md tells it. */

/**
 * For each form, by fault: the rule that finds it, `unseen` where the form lacks what the rule needs, or `not there` where
 * the form has no place for the fault.
 */
const TEXTS = {
  ...{ leak: 'unseen', template: 'unseen', 'untrained-action': 'unseen', 'untrained-stop': 'unseen', shift: 'unseen' },
  ...{ 'shift of log-probs': 'unseen', retokenised: 'unseen', mismatch: 'unseen', 'advantage-varies': 'unseen' },
  ...{ 'silent-group': 'silent-group', truncated: 'unseen', duplicate: 'duplicate', 'non-finite': 'non-finite' },
  dominated: 'unseen',
};
const ALL = {
  ...{ leak: 'leak', template: 'template', 'untrained-action': 'untrained-action', 'untrained-stop': 'untrained-stop' },
  ...{ shift: 'shift', 'shift of log-probs': 'shift', retokenised: 'unseen', mismatch: 'mismatch' },
  ...{ 'advantage-varies': 'advantage-varies', 'silent-group': 'silent-group', truncated: 'truncated' },
  ...{ duplicate: 'duplicate', 'non-finite': 'non-finite', dominated: 'dominated' },
};
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'this lab': { ...ALL, template: 'leak', mismatch: 'unseen' },
  'OpenEnv, masks and a trainer’s numbers': { ...ALL, template: 'leak' },
  'OpenEnv, segments': TEXTS,
  'verl, tensors': { ...ALL, template: 'leak', truncated: 'unseen' },
  'verl, tensors and texts': { ...ALL, retokenised: 'retokenised' },
  'verl, rollout dump': TEXTS,
  'TRL, tensors and texts': { ...ALL, 'advantage-varies': 'unseen' },
  'TRL, completions log': TEXTS,
  'verifiers, with tokens': {
    ...ALL,
    ...{ template: 'leak', 'shift of log-probs': 'not there', mismatch: 'unseen', 'advantage-varies': 'not there' },
    retokenised: 'retokenised',
  },
  'verifiers, texts': TEXTS,
  messages: TEXTS,
};
