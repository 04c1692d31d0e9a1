/** Reasons an arm does as it does. What takes a run is there once there is one, and loaded then. */
import { loading, part } from '../../../kit/part';
import { Titled } from '../../../kit/Titled';
import { Group } from '../../../model/Group';
import { useLabState } from '../../../model/useLab';
import { HealthPanel } from './health/HealthPanel';
import { WaysToLook } from './WaysToLook';

const DreamCurves = part(
  'The dreams’ curves',
  () => import('../dreams/DreamCurves'),
  'DreamCurves',
  loading('the curves'),
);
const DiagnosticsPanel = part(
  'The diagnostics',
  () => import('./diagnostics/DiagnosticsPanel'),
  'DiagnosticsPanel',
  loading('the diagnostics'),
);
const ProbePanel = part('The probes', () => import('./inside/ProbePanel'), 'ProbePanel', loading('the probes'));

export function Why() {
  const started = useLabState((state) => state.running !== null);
  const dreamed = useLabState((state) => state.dreamPoints.length > 0);
  return (
    <Group id="why" about="What a policy expects of its world, what it learns from, and how training fails.">
      <HealthPanel />
      <WaysToLook />
      {dreamed && (
        <Titled title="Dreams over updates" className="panel" testId="dream-curves">
          <DreamCurves />
        </Titled>
      )}
      {started && (
        <>
          <Titled title="What a batch teaches" className="panel" testId="diagnostics">
            <DiagnosticsPanel />
          </Titled>
          <Titled title="What can be read off the policy" className="panel" testId="probes">
            <ProbePanel />
          </Titled>
        </>
      )}
    </Group>
  );
}
