/** The policies that come with the lab, for the world on screen. */

import { useStore } from 'zustand';
import { SHIPPED } from '../../../../experiment/shippedPolicies';
import type { Policies } from '../../../../store/keep/policies';
import { fetchPolicy } from '../../../../store/keep/shippedPolicies';
import { Button } from '../../../kit/Button';
import { SHIPPED_WORDS } from '../../../model/policies/shippedWords';
import { useLabState } from '../../../model/useLab';

export function Shipped({ policies }: { policies: Policies }) {
  const environment = useLabState((state) => state.edited.environment.id);
  const idle = useStore(policies.store, (state) => state.phase === 'idle');
  const shipped = SHIPPED.policies.filter((one) => one.environment === environment);
  if (shipped.length === 0) return null;
  return (
    <div className="policies-row">
      <span>Or one that comes with the lab:</span>
      {shipped.map((one) => (
        <Button
          key={one.file}
          data-testid={`shipped-${one.kind}`}
          disabled={!idle}
          onClick={() => {
            fetchPolicy(one).then(
              (file) => policies.open(file),
              (cause: unknown) => policies.refuse(cause),
            );
          }}
        >
          {SHIPPED_WORDS[one.kind].long}
        </Button>
      ))}
    </div>
  );
}
