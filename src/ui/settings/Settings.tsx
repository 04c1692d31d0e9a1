/** Settings of the arms, of the run, of the world and of the experiment as a whole. */

import { Group } from '../kit/Group';
import { ExperimentSettings } from './ExperimentSettings';
import { Hyperparameters } from './Hyperparameters';
import { WorldSettings } from './WorldSettings';

export function Settings() {
  return (
    <Group id="settings" about="What is asked of the arms, and in which world.">
      <Hyperparameters />
      <WorldSettings />
      <ExperimentSettings />
    </Group>
  );
}
