/** The world in two sentences: its task, what a random policy reaches in it, and what its agent may say. */
import { definitionFor } from '../../../../environments/registry';
import type { Experiment } from '../../../../experiment/experiment';
import { percent } from '../../../../foundation/percent';
import { Caption } from '../../../kit/Caption';
import type { ExperimentWorld } from '../../environment';
import { useRandomSuccess } from '../../useRandomSuccess';
import { DecodingLine } from './DecodingLine';

interface Props {
  readonly world: ExperimentWorld;
  readonly place: Experiment['environment'];
}

export function AboutWorld({ world: { environment }, place }: Props) {
  const definition = definitionFor(place.id, place.settings);
  const randomSuccess = useRandomSuccess(environment);
  if (definition === undefined) return null;
  return (
    <div className="worlds-about measure">
      <Caption said={`${definition.title}: ${definition.summary}`} about={definition.title}>
        {randomSuccess === null ? '' : `A random policy succeeds in ${percent(randomSuccess)} of episodes.`}
        <DecodingLine environment={place} />
      </Caption>
    </div>
  );
}
