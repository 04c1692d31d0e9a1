/** A run whose world went wrong: it rests until the world's file is mended, and goes on in it with the policies it has. */
import { NOWHERE, ranFor, type SourcePosition, WorldError } from '../../../environments/own/examine/failure';
import { placed } from '../../../environments/own/examine/place';
import type { Experiment } from '../../../experiment/experiment';
import { openWorldsOf, textOf, withWorldText } from '../../../experiment/ownWorld';
import { parseExperiment } from '../../../experiment/parse';
import type { Ending } from '../../../foundation/endings';
import { LabError } from '../../../foundation/errors';
import { createEnvironment } from '../../population/shape';

/** True if a user's world went wrong, which another file can put right. */
export function isWorldFault({ environment }: Experiment, { code }: LabError): boolean {
  return code === 'invalid-world' && textOf(environment.settings) !== undefined;
}

/** Message, advice, and the place in the world's file, 0 where it is not known. */
export function worldFault(error: LabError): { text: string; advice: string; world: SourcePosition } {
  const { line, column } = error instanceof WorldError ? error : NOWHERE;
  return { text: error.what, advice: error.advice, world: { line, column } };
}

/** Error of a world in whose function two threads ended after an update, one after the other. */
export function threadsEnded({ environment }: Experiment, { call, update }: Ending): WorldError {
  const what = `${ranFor(call ?? '')} held up the trainer or ended it, twice after update ${update}`;
  return placed(new WorldError(NOWHERE, '', { what, isExhausting: true }), textOf(environment.settings) ?? '');
}

/**
 * The experiment with this text of its world and all else unchanged. Throws LabError where the text is wrong, and where
 * the policies cannot go on with it: their tokens are the world's words, and their dice count up to its context.
 */
export async function mendedExperiment(experiment: Experiment, text: string): Promise<Experiment> {
  const mended = { ...experiment, environment: withWorldText(experiment.environment, text) };
  await openWorldsOf(mended);
  const { environment, ...rest } = parseExperiment(mended);
  const [before, now] = [experiment, { environment }].map(createEnvironment);
  if (before?.words.join(' ') !== now?.words.join(' ') || before?.context !== now?.context) {
    throw new LabError(
      'invalid-experiment',
      'The mended world has other words or longer episodes, and the policies of this run know those it began with.',
      'Keep words, actions, maxTurns and longest as they were, or begin another run.',
    );
  }
  return { ...rest, environment };
}
