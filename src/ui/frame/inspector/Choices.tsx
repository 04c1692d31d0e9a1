/** The trajectory or group that is shown, the arm beside it, and the lens. */

import type { Inspected } from '../../../store/lab';
import { LENSES, VIEWS } from '../../../store/look/inspector';
import { Button } from '../../kit/Button';
import { type Option, StackedChoice } from '../../kit/Choice';
import { formatMeasured } from '../../kit/format';
import { seedNames } from '../../model/seedNames';
import { isHeld } from '../../model/tokens/held';
import { useInspector } from '../../model/useInspector';
import { useLab, useLabState } from '../../model/useLab';
import { lensNames } from './lenses';

const numbered = (count: number): Option[] => Array.from({ length: count }, (_, i) => [String(i), String(i + 1)]);

export function Choices({ inspected }: { inspected: Inspected | null }) {
  const { inspector } = useLab();
  const { view, choice, arm, other, lens, layer, head } = useInspector((state) => state);
  const { arms, seeds, batch, policy } = useLabState((state) => state.running ?? state.edited);
  const [first] = inspected?.inspections ?? [];
  const waiting = useLabState(({ update }) => first !== undefined && (isHeld(first) || update > first.update + 1));
  const armOptions = arms.map(({ id, name }) => [id, name] as const);
  return (
    <div className="inspector-choices row ends">
      <StackedChoice
        label="Shown"
        value={view}
        options={[
          ['tokens', 'tokens'],
          ['tree', 'the group as a tree'],
        ]}
        onChoose={(one) => inspector.show({ view: VIEWS.find((known) => known === one) ?? view })}
      />
      <StackedChoice
        label="Arm"
        value={arm}
        options={armOptions}
        onChoose={(id) => inspector.show({ arm: id, token: null })}
      />
      <StackedChoice
        label="Beside it"
        value={other ?? ''}
        options={[['', 'nothing'], ...armOptions.filter(([id]) => id !== arm)]}
        onChoose={(id) => inspector.show({ other: id === '' ? null : id })}
      />
      <StackedChoice
        label="Seed"
        value={String(choice.seed)}
        options={seedNames(seeds).map((name) => [name, name])}
        onChoose={(seed) => inspector.choose({ seed: Number(seed) })}
      />
      <StackedChoice
        label="Task"
        value={String(choice.group)}
        options={numbered(batch.groups)}
        onChoose={(group) => inspector.choose({ group: Number(group) })}
      />
      {view === 'tokens' && (
        <>
          <StackedChoice
            label="Trajectory"
            value={String(choice.trajectory)}
            options={trajectories(inspected, arm, batch.groupSize, choice)}
            onChoose={(trajectory) => inspector.choose({ trajectory: Number(trajectory) })}
          />
          <StackedChoice
            label="Lens"
            value={lens}
            options={lensNames.map(({ id, name }) => [id, name] as const)}
            onChoose={(name) => inspector.show({ lens: LENSES.find((one) => one === name) ?? lens })}
          />
        </>
      )}
      {view === 'tokens' && lens === 'attention' && (
        <>
          <StackedChoice
            label="Layer"
            value={String(Math.min(layer, policy.layers - 1))}
            options={numbered(policy.layers)}
            onChoose={(one) => inspector.show({ layer: Number(one) })}
          />
          <StackedChoice
            label="Head"
            value={head === null ? '' : String(Math.min(head, policy.heads - 1))}
            options={[['', 'mean'], ...numbered(policy.heads)]}
            onChoose={(one) => inspector.show({ head: one === '' ? null : Number(one) })}
          />
        </>
      )}
      <Button disabled={!waiting} onClick={() => inspector.choose({})}>
        Show the newest
      </Button>
    </div>
  );
}

/** Trajectories to choose from, with how each ended once the group is known. */
function trajectories(
  inspected: Inspected | null,
  arm: string,
  groupSize: number,
  { seed, group }: { seed: number; group: number },
): Option[] {
  const known =
    inspected?.choice.seed === seed && inspected.choice.group === group
      ? inspected.inspections.find((one) => one.arm.id === arm)
      : undefined;
  return numbered(groupSize).map(([value, text], i) => {
    if (known === undefined) return [value, text];
    const ended = known.successes[i] === 1 ? 'success' : 'failed';
    return [value, `${text}: ${ended}, reward ${formatMeasured(known.rewards[i] ?? Number.NaN)}`];
  });
}
