/** Recorded verdict on a world, and whether an experiment asks what was recorded: the same world and start, with and without prediction. */
import type { EnvironmentSettings } from '../environments/environment';
import type { Experiment } from './experiment';
import type { Preset } from './presets';
// Written and compared with the runs as known.json is.
import recorded from './verdicts.json';

const { verdicts, plain: plainPresets }: Readonly<Record<'verdicts' | 'plain', Readonly<Record<string, string>>>> =
  recorded;

/** Verdict on a world, each arm at its own search's pick; undefined for a world that was not compared. */
export const verdictOn = (world: string): string | undefined => verdicts[world];

/** Settings of the share that is held out: which tasks are kept back makes no other world. */
const HELD_OUT: readonly string[] = ['heldOut', 'holdOut'];

const worldIn = (settings: EnvironmentSettings): string =>
  JSON.stringify(
    Object.entries(settings)
      .filter(([name]) => !HELD_OUT.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/**
 * True if the recorded verdict on this world is of the experiment's own settings of it, and the experiment has an arm with
 * prediction and one without that begin as the recorded ones did. `presetOf` is given, so that this loads alone.
 */
export function isAsRecorded(
  { environment, arms }: Pick<Experiment, 'environment' | 'arms'>,
  presetOf: (id: string) => Preset | undefined,
): boolean {
  const plain = presetOf(plainPresets[environment.id] ?? '')?.experiment;
  const first = plain?.arms[0];
  if (plain === undefined || first === undefined) return false;
  const predicts = arms
    .filter(({ warmStart, startPolicy }) => warmStart === first.warmStart && startPolicy === first.startPolicy)
    .map(({ ce }) => ce.observation > 0);
  const isSameWorld = worldIn(plain.environment.settings) === worldIn(environment.settings);
  return isSameWorld && predicts.includes(true) && predicts.includes(false);
}
