/**
 * Linear probes of the policies, fitted while one looks: parts of the world's state read off their activations, layer
 * by layer and arm by arm, now and over updates.
 */

import { useState } from 'react';
import type { ProbeWatch } from '../../../../../train/looks/shown';
import type { ProbeMoment } from '../../../../../train/protocol';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { Choice } from '../../../../kit/Choice';
import { armColours } from '../../../../model/armColour';
import { seedNames } from '../../../../model/seedNames';
import { useLab, useLabState } from '../../../../model/useLab';
import { BeliefPanel } from './BeliefPanel';
import { ProbeCurves } from './ProbeCurves';
import { ProbeTable } from './ProbeTable';
import { MOMENT_NAMES, targetsOf } from './probed';
import './probes.css';

/** Updates from one fitting to the next. */
const CADENCES = [5, 10, 25, 50, 100];
const FIRST: ProbeWatch = { seed: 0, every: 25 };

export function ProbePanel() {
  const { runner } = useLab();
  const probing = useLabState((state) => state.probing);
  const probed = useLabState((state) => state.probed);
  const phase = useLabState((state) => state.phase);
  const [watch, setWatch] = useState(probing ?? FIRST);
  const choose = (change: Partial<ProbeWatch>) => {
    const next = { ...watch, ...change };
    setWatch(next);
    if (probing !== null) runner.watchProbes(next);
  };
  return (
    <>
      <Caption said="Does the policy know where things stand in the world, before it is told?" about="the probes">
        A linear probe is fitted to each layer’s activations and asked, on tasks it has not seen. After an action and
        before the answer, only a policy with a model of the world can know.
      </Caption>
      <div className="probe-choices row ends above-8">
        <Button
          data-testid="probes-watch"
          aria-pressed={probing !== null}
          disabled={phase === 'restored' || phase === 'failed'}
          onClick={() => runner.watchProbes(probing === null ? watch : null)}
        >
          {probing === null ? 'Fit probes' : 'Stop fitting'}
        </Button>
        <SeedChoice seed={watch.seed} onChoose={(seed) => choose({ seed })} />
        <Choice
          place="stack close small soft"
          label="Every"
          value={String(watch.every)}
          options={CADENCES.map((every) => [String(every), `${every} updates`])}
          onChoose={(every) => choose({ every: Number(every) })}
        />
        <Found />
      </div>
      {probed.length === 0 && (
        <p className="small soft above-8">
          {probing === null
            ? 'Nothing has been fitted yet. Fitting takes about as long as an update, and changes nothing in the training.'
            : 'The first probes come after the update under way.'}
        </p>
      )}
      <BeliefPanel />
    </>
  );
}

function SeedChoice({ seed, onChoose }: { seed: number | null; onChoose: (seed: number | null) => void }) {
  const seeds = useLabState((state) => state.running?.seeds ?? 1);
  const one = seedNames(seeds).map((name) => [name, name] as const);
  return (
    <Choice
      place="stack close small soft"
      label="Seed"
      value={seed === null ? '' : String(Math.min(seed, seeds - 1))}
      options={seeds > 1 ? [...one, ['', `all ${seeds}`] as const] : one}
      onChoose={(chosen) => onChoose(chosen === '' ? null : Number(chosen))}
    />
  );
}

/** Results of the newest probe, and the choice of those shown. */
function Found() {
  const probed = useLabState((state) => state.probed);
  const arms = useLabState((state) => (state.running ?? state.edited).arms);
  const [chosen, setChosen] = useState('');
  const [moment, setMoment] = useState<ProbeMoment>('action');
  const newest = probed.at(-1);
  if (newest === undefined) return null;
  const targets = targetsOf(newest);
  const target = targets.find(({ id }) => id === chosen) ?? targets[0];
  if (target === undefined) {
    return (
      <p className="small soft probe-found stack wide shrinks">
        Nothing in these trajectories differs that could be asked for.
      </p>
    );
  }
  const shown = { question: { target: target.id, moment }, arms, colours: armColours(arms) };
  return (
    <>
      <Choice
        place="stack close small soft"
        label="Asked for"
        value={target.id}
        options={targets.map(({ id, name }) => [id, name])}
        onChoose={setChosen}
      />
      <Choice
        place="stack close small soft"
        label="When"
        value={moment}
        options={Object.entries(MOMENT_NAMES) as [ProbeMoment, string][]}
        onChoose={setMoment}
      />
      <div className="probe-found stack wide shrinks">
        <ProbeTable probed={newest} {...shown} />
        <ProbeCurves probed={probed} {...shown} />
      </div>
    </>
  );
}
