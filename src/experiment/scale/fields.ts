/** Writers of fields that trainers share, and their demands on an arm. */
import type { Arm } from '../experiment';
import type { Carry, Field, ForeignTrainer } from './trainer';

export const field = (key: string, value: string | number): Field => ({ key, value: String(value) });

/** Writer of any value under the trainer's own name. */
export const as =
  (key: string, note?: string): Carry =>
  (value) => ({ key, value: String(value), ...(note === undefined ? {} : { note }) });

/** Writer of a value by the trainer's word for it; null if there is no word. */
export const oneOf =
  (key: string, words: Readonly<Record<string, string>>, note?: string): Carry =>
  (value, arm) => {
    const word = words[String(value)];
    return word === undefined ? null : as(key, note)(word, arm);
  };

/** Writer only for arms that a rule holds for; null for others. */
export const where =
  (rule: (arm: Arm) => boolean, carry: Carry): Carry =>
  (value, arm) =>
    rule(arm) ? carry(value, arm) : null;

/** Shell command with Hydra's overrides, one a line. */
export function writeOverrides(command: string) {
  return (fields: readonly Field[], comments: readonly string[]): string => {
    const noted = fields.flatMap(({ key, note }) => (note === undefined ? [] : [`# ${key}: ${note}`]));
    const lines = fields.map(({ key, value }) => `    ${key}=${value}`);
    return `${[...comments.map((text) => `# ${text}`), ...noted].join('\n')}\n${[command, ...lines, '    "$@"'].join(' \\\n')}\n`;
  };
}

/** Adam's β₁ and β₂ in one field: both settings write the same field, and one of the two is kept. */
export const betas = (key: string, write: (beta1: number, beta2: number) => string): ForeignTrainer['carries'] => ({
  beta1: (_, { beta1, beta2 }) => ({ key, value: write(beta1, beta2) }),
  beta2: (_, { beta1, beta2 }) => ({ key, value: write(beta1, beta2) }),
});

/** Writer of the warm-up in optimiser steps, of which an update has one for each inner epoch. */
export const warmUpInSteps =
  (key: string): Carry =>
  (value, { innerEpochs }) => ({ key, value: String(Number(value) * innerEpochs) });

/** Port that the world is served at: 8000 is vLLM's, which the trainers start beside it. */
export const PORT = 8010;
export const WORLD = `http://127.0.0.1:${PORT}`;

/** Name of the printed policy loss, of its file without the ending and of what that registers. */
export const POLICY_LOSS = 'policy_loss';

/** The arm's surrogate; `own` where a formula takes its place, and no loss that a trainer has is meant. */
export const surrogateOf = ({ surrogate, losses }: Arm): Arm['surrogate'] | 'own' =>
  losses.some(({ place }) => place === 'policy') ? 'own' : surrogate;

/** Writer of the trainer's word for the arm's surrogate, or for a formula in its place; null if there is no word. */
export const lossBy =
  (key: string, words: Readonly<Record<string, string>>): Carry =>
  (_, arm) => {
    const surrogate = surrogateOf(arm);
    const note = `the formula, as ${POLICY_LOSS}.py of lab scale registers it; its header says how it is found`;
    return oneOf(key, words, surrogate === 'own' ? note : undefined)(surrogate, arm);
  };

export const isSurrogate =
  (one: ReturnType<typeof surrogateOf>) =>
  (arm: Arm): boolean =>
    surrogateOf(arm) === one;
export const isClipped = isSurrogate('ppo');
export const isCispo =
  (bound: Arm['ratioBound']) =>
  (arm: Arm): boolean =>
    surrogateOf(arm) === 'cispo' && arm.ratioBound === bound;
/** True for CISPO with bounds around 1, as in verl; TRL's form has one bound from above. */
export const isRelativeCispo = isCispo('relative');

export const isOutcomeOfGroup = ({ advantageCredit, advantageBaseline }: Arm): boolean =>
  advantageCredit === 'outcome' && advantageBaseline === 'group-mean';
