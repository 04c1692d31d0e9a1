/** Reasons an arm does as it does. */

import { Group } from '../../../model/Group';
import { DreamsOverUpdates } from '../dreams/DreamsOverUpdates';
import { Diagnostics } from './diagnostics/Diagnostics';
import { HealthPanel } from './health/HealthPanel';
import { Inside } from './inside/Inside';
import { WaysToLook } from './WaysToLook';

export function Why() {
  return (
    <Group id="why" about="What a policy expects of its world, what it learns from, and how training fails.">
      <HealthPanel />
      <WaysToLook />
      <DreamsOverUpdates />
      <Diagnostics />
      <Inside />
    </Group>
  );
}
