/** The meaning of a word, shown under it. */
import { type RefObject, useRef } from 'react';
import { useOnTop } from './Popover';
import type { KnownTerm } from './Term';

const MEANINGS: Readonly<Record<KnownTerm, string>> = {
  arm: 'One way to train the agent: which tokens carry which loss. All arms begin from the same weights and play the same tasks.',
  nats: 'Unit of surprise: 0 for what was held certain, 0.69 for what was given 1 chance in 2, 2.3 for 1 in 10. It is −ln of that chance.',
  'silent group':
    'All episodes of one task were rewarded alike. None was better than the others, so the reward teaches nothing here.',
  rollout:
    'One episode as the policy played it. The rollouts of one task are its group, which is compared within itself.',
  'on-policy':
    'Learned from by the very weights that played it. After a step on it they are others, and it is off-policy.',
  'inner step':
    'One step of the optimiser on the episodes just played. An update may take several before it plays again.',
  denominator:
    'What a sum over tokens is divided by, such as the number of tokens of one kind or of all. It decides how much one token weighs.',
  critic:
    'A second output of the policy’s network: at each token it guesses the reward still to come. What turns out better than that was good.',
  GAE: 'Generalised advantage estimation: the worth of an action, from the critic’s next guesses and the real end; λ says how much of each.',
  k2: 'An estimate of the KL from the tokens drawn: half the square of the difference of two log-probs. It is never negative.',
};

interface Props {
  readonly id: string;
  readonly term: KnownTerm;
  readonly opener: RefObject<HTMLButtonElement | null>;
}

export function Meaning({ id, term, opener }: Props) {
  const panel = useRef<HTMLSpanElement>(null);
  useOnTop(panel, opener);
  return (
    <span
      ref={panel}
      id={id}
      className="popover popover-top term-meaning small frame to-left raised scrolls block"
      popover="manual"
      role="tooltip"
    >
      {MEANINGS[term]}
    </span>
  );
}
