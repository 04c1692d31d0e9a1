/**
 * Recorded verdict on a world, and whether an experiment asks what was recorded: the same world and start, with and without
 * prediction.
 */
import type { EnvironmentSettings } from '../../environments/environment';
import type { Experiment } from '../experiment';
import type { Preset } from '../presets/presets';

/** World that was compared: its preset, and the verdict. A test looks up each number in findings/. */
const VERDICTS: Readonly<Record<string, { readonly preset: string; readonly says: string }>> = {
  gridworld: {
    preset: 'gridworld-small',
    says:
      'Each arm at the settings its own search picked, the world model succeeded more often on the tasks it practises: area under the success curve 0.46 ' +
      'against the mask’s 0.31, 16 seeds each. After four more searches it did too, told from chance after two of them. On tasks never trained on no gain is told apart after the first search (0.73 against 0.66), nor with ' +
      'ordinary first weights (fan-in) and nothing searched (0.30 against 0.33).',
  },
  calculator: {
    preset: 'calculator-without-tool',
    says:
      'Each arm at the settings its own search picked, the world model was right more often on the questions it practises: area under the ' +
      'success curve 0.76 against the mask’s 0.62, 16 seeds each. On new questions it is better without the tool (0.36 against 0.14) ' +
      'and worse with it (0.84 against 0.97), by 16 further seeds. What the tool says is the answer that is rewarded.',
  },
  shop: {
    preset: 'shop',
    says:
      'Each arm at the settings its own search picked, the world model succeeded a little more often on the tasks it practises: area under the success curve ' +
      '0.57 against the mask’s 0.51, 16 seeds each; it is behind at first. Both at the mask’s settings no gain is told apart, and on tasks never trained on ' +
      'neither arm buys anything.',
  },
  terminal: {
    preset: 'terminal',
    says:
      'Each arm at the settings its own search picked, no gain was found: area under the success curve 0.54 against the mask’s 0.56, 16 ' +
      'seeds each. A rule that reads nothing would solve two thirds of these tasks, so they say little about reading before deleting.',
  },
};

/** Verdict on a world, each arm at its own search's pick; undefined for a world that was not compared. */
export const verdictOn = (world: string): string | undefined => VERDICTS[world]?.says;

/** Settings of held-out tasks: they make no other world. */
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
  const plain = presetOf(VERDICTS[environment.id]?.preset ?? '')?.experiment;
  const first = plain?.arms[0];
  if (plain === undefined || first === undefined) return false;
  const predicts = arms
    .filter(({ warmStart, startPolicy }) => warmStart === first.warmStart && startPolicy === first.startPolicy)
    .map(({ ce }) => ce.observation > 0);
  const isSameWorld = worldIn(plain.environment.settings) === worldIn(environment.settings);
  return isSameWorld && predicts.includes(true) && predicts.includes(false);
}
