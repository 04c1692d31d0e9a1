/** An environment as data, for a thread that does not play in it: all that is known of it, and whom to ask for more. */
import { LabError } from '../../../foundation/errors';
import type { Elsewhere, Environment } from '../../environment';
import { FACTS, propertiesOf } from '../../environmentFacts';

export type WorldFacts = Pick<Environment, (typeof FACTS)[number]> & {
  /** True if some action says a result, so that there are right answers. */
  readonly hasAnswers: boolean;
  readonly hasExpert: boolean;
};

export function factsOf(environment: Environment): WorldFacts {
  return {
    ...propertiesOf(environment, FACTS),
    hasAnswers: environment.answer !== undefined,
    hasExpert: environment.createWorld(1).expert !== undefined,
  };
}

/** The environment of these facts. Playing in it throws a LabError: ask `elsewhere`. */
export function environmentOf({ hasAnswers, ...facts }: WorldFacts, elsewhere: Elsewhere): Environment {
  const refuse = (): never => {
    throw new LabError('internal', 'This thread plays no world that somebody wrote.', 'Report it.');
  };
  return {
    ...facts,
    randomSuccess: null,
    drawTask: refuse,
    createWorld: refuse,
    ...(hasAnswers && { answer: refuse }),
    elsewhere,
  };
}
