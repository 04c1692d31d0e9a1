/** Offers policies that play as an arm of their own: those that come with the lab for this world, and those opened here. */

import { SHIPPED } from '../../../experiment/shippedPolicies';
import { policyName } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { openPolicies } from '../policies/openPolicies';
import { SHIPPED_WORDS } from '../policies/shippedWords';
import { useLab, useLabState } from '../useLab';
import { addFixedArm } from './edits';

export function AddFixed({ onChosen }: { onChosen: () => void }) {
  const lab = useLab();
  const environment = useLabState((state) => state.edited.environment.id);
  const policyFiles = useLabState((state) => state.policyFiles);
  const shipped = SHIPPED.policies.filter((one) => one.environment === environment);
  const own = Object.keys(policyFiles).filter((hash) => shipped.every(({ sha256 }) => sha256 !== hash));
  const add = (sha256: string, name: string) => {
    lab.editor.edit(addFixedArm(lab.store.getState().edited, sha256, name));
    onChosen();
  };
  return (
    <div className="stack">
      <p className="small">Or a fixed policy, which plays the same tasks and learns nothing: a baseline.</p>
      {shipped.map(({ sha256, kind }) => (
        <Button key={sha256} data-testid={`add-fixed-${kind}`} onClick={() => add(sha256, SHIPPED_WORDS[kind].short)}>
          {SHIPPED_WORDS[kind].long}
        </Button>
      ))}
      {own.map((hash) => {
        const name = policyName({ policyFiles }, hash);
        return (
          <Button key={hash} onClick={() => add(hash, name)}>
            {name}
          </Button>
        );
      })}
      <Button
        className="button-quiet"
        onClick={() => {
          onChosen();
          openPolicies();
        }}
      >
        Open a file
      </Button>
    </div>
  );
}
