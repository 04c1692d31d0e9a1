/** What is asked: of the arms, of the run, of the world and of the experiment as a whole. */
import { ExperimentSettings } from '../controls/ExperimentSettings';
import { Hyperparameters } from '../controls/Hyperparameters';
import { WorldSettings } from '../controls/WorldSettings';
import { Group } from './Group';

export function Settings() {
  return (
    <Group id="settings" about="What is asked of the arms, and in which world.">
      <Hyperparameters />
      <WorldSettings />
      <ExperimentSettings />
    </Group>
  );
}
