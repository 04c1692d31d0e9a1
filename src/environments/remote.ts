/**
 * A world of somebody else's, played by texts over a connection: OpenEnv's protocol. What the experiment needs to know of it
 * (words, names of fields) is among its settings, so that only playing needs the server. Node alone has connections: there
 * remoteWorld.ts is loaded, and `openRemotes` called, before a world is made.
 */
import { LabError } from '../foundation/errors';
import type { Environment, EnvironmentDefinition, EnvironmentSettings } from './environment';

/**
 * Settings that its server tells: lists have one entry a line; `isWords` is true where actions are made of several. `forms`: the JSON
 * of each action, in the order of their names in `actions`; absent where actions are one field, a text.
 */
const TOLD = ['url', 'actionField', 'observationField', 'actions', 'isWords', 'words', 'forms'];
/** Largest number of characters of each of these settings. */
export const LONGEST_REMOTE_TEXT = 16_384;

const count = (key: string, label: string, initial: number, max: number, help: string) =>
  ({ key, label, help, type: 'integer', default: initial, min: 1, max }) as const;

export const remote: EnvironmentDefinition = {
  id: 'openenv',
  title: 'A world behind OpenEnv’s protocol',
  summary: 'Do what a world asks that another program serves.',
  settings: [
    count('turns', 'Turns', 16, 256, 'Turns after which an episode ends here, if its server did not end it.'),
    count('actionLength', 'Action length', 16, 128, 'Tokens of an action, where it is not one declared word.'),
    count('observationLength', 'Observation length', 32, 512, 'Tokens of an observation; the rest is cut off.'),
    count('timeout', 'Timeout', 60, 3600, 'Seconds to wait for an answer.'),
    {
      key: 'success',
      label: 'Success',
      help: 'Reward of an episode from which on it counts as a success.',
      type: 'number',
      default: 1,
      min: -1000,
      max: 1000,
    },
  ],
  isFurther: (key) => TOLD.includes(key),
  create(settings) {
    if (made !== null) return made(settings);
    const advice = 'Train it in Node, with lab run.';
    throw new LabError('unsupported', 'A page has no connection to a world behind OpenEnv’s protocol.', advice);
  },
};

let made: ((settings: EnvironmentSettings) => Environment) | null = null;

/** Sets the function that connects to remote worlds; only Node has one. */
export function openRemotes(make: (settings: EnvironmentSettings) => Environment): void {
  made = make;
}
