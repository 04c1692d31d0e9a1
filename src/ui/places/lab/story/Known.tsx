/** Result of the recorded runs of this world, where it was among them. Parts of the page come as properties: it loads alone. */
import type { ReactNode } from 'react';
import { isAsRecorded, verdictOn } from '../../../../experiment/conclude/verdicts';
import type { Experiment } from '../../../../experiment/experiment';
import type { Preset } from '../../../../experiment/presets/presets';

interface Props {
  readonly experiment: Experiment;
  readonly presetOf: (id: string) => Preset | undefined;
  readonly label: ReactNode;
  /** Way to the result of all worlds. */
  readonly children: ReactNode;
}

export function Known({ experiment, presetOf, label, children }: Props) {
  const verdict = verdictOn(experiment.environment.id);
  return (
    <p className="small" data-testid="known">
      {label} {verdict !== undefined && !isAsRecorded(experiment, presetOf) && 'Of the plain world, not this variant: '}
      {verdict ?? 'this world was not among the four searched.'} {children}
    </p>
  );
}
