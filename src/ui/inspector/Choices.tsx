/** Which trajectory is shown, beside which arm, through which lens. */
import { type ReactNode, useId } from 'react';
import { LENSES } from '../../store/inspector';
import type { Inspected } from '../../store/lab';
import { formatMeasured } from '../format';
import { seedNames } from '../seedNames';
import { useLab, useLabState } from '../useLab';
import { lensNames } from './lenses';
import { useInspector } from './useInspector';

interface Option {
  readonly value: string;
  readonly text: string;
}

const numbered = (count: number): Option[] =>
  Array.from({ length: count }, (_, index) => ({ value: String(index), text: `${index + 1} of ${count}` }));

export function Choices({ inspected }: { inspected: Inspected | null }) {
  const { inspector } = useLab();
  const { choice, arm, other, lens, layer, head } = useInspector((state) => state);
  const { arms, seeds, batch, policy } = useLabState((state) => state.running ?? state.edited);
  const waiting = useLabState(
    (state) => inspected !== null && state.update > (inspected.inspections[0]?.update ?? 0) + 1,
  );
  const armOptions = arms.map(({ id, name }) => ({ value: id, text: name }));
  return (
    <div className="inspector-choices">
      <Choice
        label="Arm"
        value={arm}
        options={armOptions}
        onChoose={(id) => inspector.show({ arm: id, token: null })}
      />
      <Choice
        label="Beside it"
        value={other ?? ''}
        options={[{ value: '', text: 'nothing' }, ...armOptions.filter(({ value }) => value !== arm)]}
        onChoose={(id) => inspector.show({ other: id === '' ? null : id })}
      />
      <Choice
        label="Seed"
        value={String(choice.seed)}
        options={seedNames(seeds).map((name) => ({ value: name, text: name }))}
        onChoose={(seed) => inspector.choose({ seed: Number(seed) })}
      />
      <Choice
        label="Task"
        value={String(choice.group)}
        options={numbered(batch.groups)}
        onChoose={(group) => inspector.choose({ group: Number(group) })}
      />
      <Choice
        label="Trajectory"
        value={String(choice.trajectory)}
        options={trajectories(inspected, arm, batch.groupSize, choice)}
        onChoose={(trajectory) => inspector.choose({ trajectory: Number(trajectory) })}
      />
      <Choice
        label="Lens"
        value={lens}
        options={lensNames.map(({ id, name }) => ({ value: id, text: name }))}
        onChoose={(name) => inspector.show({ lens: LENSES.find((one) => one === name) ?? lens })}
      />
      {lens === 'attention' && (
        <>
          <Choice
            label="Layer"
            value={String(Math.min(layer, policy.layers - 1))}
            options={numbered(policy.layers)}
            onChoose={(one) => inspector.show({ layer: Number(one) })}
          />
          <Choice
            label="Head"
            value={head === null ? '' : String(Math.min(head, policy.heads - 1))}
            options={[{ value: '', text: 'mean' }, ...numbered(policy.heads)]}
            onChoose={(one) => inspector.show({ head: one === '' ? null : Number(one) })}
          />
        </>
      )}
      <button
        type="button"
        className="button"
        data-testid="inspector-newest"
        disabled={!waiting}
        onClick={() => inspector.choose({})}
      >
        Newest batch
      </button>
      <button
        type="button"
        className="button inspector-close"
        data-testid="inspector-close"
        onClick={() => inspector.close()}
      >
        Close
      </button>
    </div>
  );
}

/** With how each ended, once the group is known. */
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
  return numbered(groupSize).map(({ value, text }, i) => {
    if (known === undefined) return { value, text };
    const ended = known.successes[i] === 1 ? 'success' : 'failed';
    return { value, text: `${text}: ${ended}, reward ${formatMeasured(known.rewards[i] ?? Number.NaN)}` };
  });
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="inspector-choice small soft">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
