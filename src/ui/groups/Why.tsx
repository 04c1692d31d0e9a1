/** Why an arm does as it does. */
import { HealthPanel } from '../health/HealthPanel';
import { Group } from './Group';
import { WaysToLook } from './WaysToLook';

export function Why() {
  return (
    <Group id="why">
      <HealthPanel />
      <WaysToLook />
    </Group>
  );
}
