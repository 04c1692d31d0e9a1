/** The machine that trains, and why that one: the backend never changes the experiment. */

import { deviceInWords, isCpu } from '../../../foundation/cpuVariants';
import type { LabState } from '../../../store/lab';
import type { BackendChoice, RaceNumbers } from '../../../train/protocol';
import { Button } from '../../kit/Button';
import { Choice, type Option } from '../../kit/Choice';
import { useLab, useLabParts, useLabState, usePreferences } from '../../model/useLab';

const CHOICES: readonly Option<BackendChoice>[] = [
  ['auto', 'automatic'],
  ['webgpu', 'WebGPU'],
  ['cpu', 'CPU'],
  ['cpu-fused', 'CPU, fused'],
];

/** Needs no reason; software in place of a GPU does. */
const isAsChosen = ({ kind, software }: NonNullable<LabState['backend']>, choice: BackendChoice): boolean =>
  kind === choice && (isCpu(kind) || !software);

const timesInWords = ({ gpuSeconds, cpuSeconds }: RaceNumbers): string =>
  (gpuSeconds / cpuSeconds).toFixed(gpuSeconds < 10 * cpuSeconds ? 1 : 0);

export function Machine() {
  const lab = useLab();
  const { backend, foundNothing } = useLabParts('backend', 'foundNothing');
  const running = useLabState((state) => state.running !== null);
  const choice = usePreferences((state) => state.backend);
  const awaited = foundNothing ? 'nothing to run on' : 'looking for a GPU';
  const device = deviceInWords(backend?.description ?? awaited);
  const found = backend === null || isAsChosen(backend, choice) ? device : `${device}: ${backend.reason}`;
  const isLater = running && backend !== null && choice !== 'auto' && choice !== backend.kind;
  const words = isLater ? `${found}; your choice acts from the next run` : found;
  const raced = choice === 'auto' && backend?.kind !== 'webgpu' ? backend?.raced : undefined;
  return (
    <div className="machine stack close">
      <Choice
        place="line inline"
        label="Runs on"
        testId="backend-choice"
        value={choice}
        options={CHOICES}
        onChoose={(backend) => lab.preferences.setState({ backend })}
      />
      <span className="small soft breaks" data-testid="backend-line" data-kind={backend?.kind ?? ''}>
        {words}
      </span>
      {raced && (
        <Button className="small" data-testid="use-gpu" onClick={() => lab.preferences.setState({ backend: 'webgpu' })}>
          Use the GPU: an update takes {timesInWords(raced)} times as long
        </Button>
      )}
    </div>
  );
}
