/** Line that says if the policy is held to legal words: shown wherever its episodes are seen or its world is set. */
import { findEnvironment } from '../../../../environments/registry';
import type { Experiment } from '../../../../experiment/experiment';
import { worldOf } from '../../environment';
import { decodingWords } from './decodingWords';

export function DecodingLine({ environment: { id, settings } }: Pick<Experiment, 'environment'>) {
  const world = worldOf({ id, settings });
  const definition = findEnvironment(id);
  if (world === null || definition === undefined) return null;
  return (
    <p className="small soft" data-testid="decoding">
      {decodingWords(definition, settings, world.environment, world.words.length)}
    </p>
  );
}
