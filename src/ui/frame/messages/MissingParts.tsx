/** Message of the parts of the page that cannot be shown now, and why; the run goes on. Each part is named once. */

import { useStore } from 'zustand';
import { Button } from '../../kit/Button';
import { type Missing, missing } from '../../kit/missing';

export function MissingParts() {
  const parts = useStore(missing, (state) => state.parts);
  const byName = new Map<string, Missing>();
  for (const part of parts) {
    const other = byName.get(part.what)?.again;
    const again = () => {
      other?.();
      part.again();
    };
    byName.set(part.what, { ...part, again });
  }
  return [...byName.values()].map((part) => <MissingPart key={part.what} {...part} />);
}

function MissingPart({ what, why, advice, again }: Missing) {
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="missing">
      <p>
        <b>{what} cannot be shown.</b> {why} Everything else goes on. {advice}
      </p>
      <Button data-testid="again" onClick={again}>
        Try again
      </Button>
    </div>
  );
}
