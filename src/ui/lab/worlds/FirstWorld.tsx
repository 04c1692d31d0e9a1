/** The world before anything has been trained: one of its tasks as a script solves it, and what is asked of the policies. */
import { definitionFor } from '../../../environments/registry';
import type { Experiment } from '../../../experiment/experiment';
import { textOf } from '../../../experiment/ownWorld';
import type { World } from '../../environment';
import { formatShare } from '../../kit/format';
import { useExhibit } from '../../play';
import { useRandomSuccess } from '../../useRandomSuccess';
import { DecodingLine } from './DecodingLine';
import { roomOf } from './room';
import { SceneView } from './SceneView';

export interface FirstWorldProps {
  readonly world: World;
  readonly place: Experiment['environment'];
}

export function FirstWorld({ world: { environment }, place }: FirstWorldProps) {
  const shown = useExhibit(environment);
  const definition = definitionFor(place.id, place.settings);
  const randomSuccess = useRandomSuccess(environment);
  if (definition === undefined) return null;
  return (
    <figure className="first-world" data-room={roomOf(shown)}>
      <div className="world-stage">
        <SceneView
          key={textOf(place.settings) ?? place.id}
          scenes={shown?.scenes ?? null}
          turn={(shown?.scenes.length ?? 1) - 1}
          colour="var(--ink)"
          label={`${definition.title}: a task as a script solves it`}
        />
      </div>
      <figcaption className="small soft">
        <p>
          {definition.title}, a task as a script solves it. {definition.summary}{' '}
          {randomSuccess === null ? '' : `A random policy succeeds in ${formatShare(randomSuccess)} of episodes.`}
        </p>
        <DecodingLine environment={place} />
      </figcaption>
    </figure>
  );
}
