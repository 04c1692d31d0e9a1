/** Expectation of a preset, what not to conclude from it, and what was recorded: folded, before a run and after it. */
import { Suspense, useState } from 'react';
import type { Experiment } from '../../../../experiment/experiment';
import { textOf } from '../../../../experiment/ownWorld';
import { findPreset, type Preset } from '../../../../experiment/presets/presets';
import { Button } from '../../../kit/Button';
import { part, within } from '../../../kit/part';
import { goTo, placeLink } from '../../../model/place';
import { useHidden } from '../../../model/useHidden';

const Expected = within('What to expect', () => import('./Expected'), 'Expected');
const Known = within('What was recorded', () => import('./Known'), 'Known');
const Recorded = part('What was recorded', () => import('./Recorded'), 'Recorded');
const RECORDED = <strong>What was recorded, with policies 32 wide:</strong>;

/** The preset, as long as the world is its own: what it claims is about that. */
export function presetOf({ preset, environment }: Experiment): Preset | undefined {
  const found = findPreset(preset);
  const was = found?.experiment.environment;
  const isSame = was?.id === environment.id && textOf(was.settings) === textOf(environment.settings);
  return isSame ? found : undefined;
}

export function WhatToExpect({ experiment }: { experiment: Experiment }) {
  const [isOpen, setOpen] = useState(false);
  const beliefHidden = useHidden('belief');
  const preset = presetOf(experiment);
  return (
    <details className="small soft" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What to expect, and what not to conclude</summary>
      {isOpen && (
        <Suspense fallback={<p>{RECORDED}</p>}>
          {preset !== undefined && <Expected preset={preset.id} />}
          {preset?.finding !== undefined && !beliefHidden && (
            <p>
              <a href={placeLink('findings', preset.finding)}>Asked with more seeds, under Findings</a>
            </p>
          )}
          <Known experiment={experiment} presetOf={findPreset} label={RECORDED}>
            {!beliefHidden && (
              <Button className="button-quiet small" onClick={() => goTo('sure')}>
                More under “How sure”
              </Button>
            )}
          </Known>
        </Suspense>
      )}
      {isOpen && <Recorded experiment={experiment} />}
    </details>
  );
}
