/** The policies that come with the lab, for the world on screen. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Policies } from '../../store/policies';
import { fetchPolicy, type ShippedPolicy, shippedPolicies } from '../../store/shippedPolicies';
import { useLabState } from '../useLab';
import { SHIPPED_WORDS } from './shippedWords';

export function Shipped({ policies }: { policies: Policies }) {
  const environment = useLabState((state) => state.edited.environment.id);
  const idle = useStore(policies.store, (state) => state.phase === 'idle');
  const [shipped, setShipped] = useState<readonly ShippedPolicy[]>([]);
  useEffect(() => {
    let wanted = true;
    const hear = (found: readonly ShippedPolicy[]) => wanted && setShipped(found);
    shippedPolicies(environment).then(hear, (cause: unknown) => policies.refuse(cause));
    return () => {
      wanted = false;
    };
  }, [environment, policies]);
  if (shipped.length === 0) return null;
  return (
    <div className="policies-row">
      <span>Or one that comes with the lab:</span>
      {shipped.map((one) => (
        <button
          key={one.file}
          type="button"
          className="button"
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
        </button>
      ))}
    </div>
  );
}
