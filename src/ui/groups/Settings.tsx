/** What is asked: of the arms, of the run, of the world and of the experiment as a whole. */
import { ExperimentSettings } from '../controls/ExperimentSettings';
import { Hyperparameters } from '../controls/Hyperparameters';
import { WorldSettings } from '../controls/WorldSettings';
import { Timeline } from '../timeline/Timeline';
import { Group } from './Group';

export function Settings() {
  return (
    <Group id="settings">
      <Hyperparameters />
      <Timeline />
      <WorldSettings />
      <ExperimentSettings />
    </Group>
  );
}
