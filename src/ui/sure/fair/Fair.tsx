/** The place of what is known beforehand on the screen: one sentence from the recorded runs, and all of it on demand. */
import { Suspense, useState } from 'react';
import { part } from '../../kit/part';
import { placeLink } from '../../place';

const FairGround = part('The recorded runs', () => import('./FairGround').then((module) => module.FairGround));

export function Fair() {
  const [open, setOpen] = useState(false);
  return (
    <section className="panel" aria-labelledby="fair-title" data-testid="fair">
      <h3 id="fair-title">Does predicting the world help? Pick against pick</h3>
      <p className="small soft">
        Each arm got the same search for good settings. The settings that were picked were then compared on new seeds.{' '}
        <a href={placeLink('findings', 'best-against-best')}>As a finding</a>, with its curves and a way to run it
        again.
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-testid="fair-open">The verdicts, the map of when, and links to the runs compared</summary>
        {open && (
          <Suspense fallback={<p className="small soft">Loading the recorded runs.</p>}>
            <FairGround />
          </Suspense>
        )}
      </details>
    </section>
  );
}
