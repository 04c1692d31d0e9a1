/** Symbols in a written formula for names of the language and for those of a user. */
import { index, letter, type Notation, row, symbol, words } from '../foundation/notation';
import type { InputName } from './vocabulary';

const policy = symbol('π', 'pi');
const log = symbol('log', 'log');
const logOf = (of: string): Notation => row(log, index(policy, words(of)));

/** Inputs; those that are missing keep their name. */
const INPUT_SYMBOLS: Partial<Readonly<Record<InputName | 'A' | 'pi', Notation>>> = {
  logp: row(log, policy),
  old_logp: logOf('old'),
  sampler_logp: logOf('sampler'),
  ref_logp: logOf('ref'),
  entropy: symbol('H', 'H'),
  advantage: symbol('A', 'A'),
  A: symbol('A', 'A'),
  returns: symbol('G', 'G'),
  value: symbol('V', 'V'),
  reward: symbol('R', 'R'),
  turn_reward: index('R', words('turn')),
  is_action: index('1', words('action')),
  is_thought: index('1', words('thought')),
  is_observation: index('1', words('observation')),
  // π is the policy.
  pi: words('3.14159…'),
};

const GREEK: Readonly<Record<string, string>> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  eps: 'ε',
  epsilon: 'ε',
  zeta: 'ζ',
  eta: 'η',
  theta: 'θ',
  kappa: 'κ',
  lam: 'λ',
  lambda: 'λ',
  mu: 'μ',
  nu: 'ν',
  xi: 'ξ',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  phi: 'φ',
  chi: 'χ',
  psi: 'ψ',
  omega: 'ω',
};

const SPOKEN: Readonly<Record<string, string>> = { eps: 'epsilon', lam: 'lambda' };

/** A name as one letter or a Greek one, with what follows as its index: tau_pos, w1; other names as words. */
export function symbolOf(name: string): Notation {
  const known = Object.hasOwn(INPUT_SYMBOLS, name) ? INPUT_SYMBOLS[name as InputName] : undefined;
  if (known !== undefined) return known;
  const [, base = name, rest = ''] = /^([a-z]{2,7}(?=_|\d*$)|[A-Za-z])_?([A-Za-z0-9_]*)$/.exec(name) ?? [];
  const sign = Object.hasOwn(GREEK, base)
    ? symbol(GREEK[base], SPOKEN[base] ?? base)
    : base.length === 1
      ? letter(base)
      : null;
  if (sign === null || (rest !== '' && !/^\d+$/.test(rest) && !name.startsWith(`${base}_`)))
    return letter(name.replaceAll('_', ' ').trim());
  if (rest === '') return sign;
  return index(sign, /^\d+$/.test(rest) ? Number(rest) : words(rest.replaceAll('_', ' ')));
}

/** A log-probability is two signs, of which a product must not take one. */
export const isApplied = (formula: Notation): boolean => formula.kind === 'row' && formula.parts[0] === log;
