/** Own losses of each arm, beside what the arm minimises now; each opens the desk where it is written. */
import { Group } from '../../../model/Group';
import { Objectives } from '../../../model/settings/Objectives';
import '../../../model/settings/controls-panel.css';

export function LossPage() {
  return (
    <Group
      id="loss"
      about="A loss is a formula for each token: in place of an arm’s own, or added to it, also while it trains."
    >
      <Objectives />
    </Group>
  );
}
