/**
 * Diagnosis of one batch, arm by arm: how well the policy foresees the observations, kind by kind; which roles its loss
 * and its gradient come from; and where in the network the gradient goes. Any batch measured so far can be chosen.
 */
import { useId, useState } from 'react';
import type { Diagnosis, LayerNumbers } from '../../../../../rl/look/diagnosis/table';
import { Caption } from '../../../../kit/Caption';
import { Choice } from '../../../../kit/Choice';
import { formatSigned, plural } from '../../../../kit/format';
import { Row, Table } from '../../../../kit/Table';
import { Titled } from '../../../../kit/Titled';
import { type ArmColour, armColours } from '../../../../model/armColour';
import { worldOf } from '../../../../model/environment';
import { seedNames } from '../../../../model/seedNames';
import { useLabParts } from '../../../../model/useLab';
import { armColumns, type DiagnosedArm, namedColumn, written } from './armColumns';
import { armDiagnosis, type SeedChoice } from './means';
import { ObservationTable } from './ObservationTable';
import { RoleShares } from './RoleShares';
import '../../../../model/tokens/roles.css';
import './diagnostics.css';

const NO_COLOUR: ArmColour = { stroke: 'currentColor', dash: '' };

export function DiagnosticsPanel() {
  const { running, diagnoses } = useLabParts('running', 'diagnoses');
  /** Update of the diagnosed batch; null: always the newest. */
  const [update, setUpdate] = useState<number | null>(null);
  const [seed, setSeed] = useState<SeedChoice>('mean');
  const chosen = diagnoses.find((one) => one.update === update) ?? diagnoses.at(-1);
  if (running === null) return null;
  if (chosen === undefined) return <Unmeasured every={running.diagnosticsEvery} />;
  const colours = armColours(running.arms);
  const present = seed !== 'mean' && seed < running.seeds ? seed : 'mean';
  const arms = running.arms.map(({ id, name }, index): DiagnosedArm => {
    const colour = colours.get(id) ?? NO_COLOUR;
    return { id, name, colour, found: armDiagnosis(chosen, index, running.seeds, present) };
  });
  const words = worldOf(running.environment)?.words.length ?? Number.NaN;
  return (
    <div className="diagnostics stack" data-testid="diagnosis" data-update={chosen.update}>
      <div className="small row ends">
        <BatchChoice
          diagnoses={diagnoses}
          chosen={chosen}
          isNewest={update === null}
          every={running.diagnosticsEvery}
          onChoose={setUpdate}
        />
        <SeedChooser seeds={running.seeds} chosen={present} onChoose={setSeed} />
      </div>
      <ObservationTable slices={chosen.slices} arms={arms} words={words} />
      <RoleShares arms={arms} />
      <LayerTable layers={chosen.layers} arms={arms} />
    </div>
  );
}

function Unmeasured({ every }: { every: number }) {
  return (
    <p className="small soft">
      {every === 0
        ? 'Nothing is measured: the setting “Diagnostics every” is 0.'
        : `Measured before the first update and then every ${plural(every, 'update')} while a run is trained here; kept runs have none.`}
    </p>
  );
}

interface BatchProps {
  readonly diagnoses: readonly Diagnosis[];
  readonly chosen: Diagnosis;
  readonly isNewest: boolean;
  readonly every: number;
  readonly onChoose: (update: number | null) => void;
}

function BatchChoice({ diagnoses, chosen, isNewest, every, onChoose }: BatchProps) {
  const id = useId();
  const last = diagnoses.length - 1;
  return (
    <div className="diagnostics-batch search stack">
      <label htmlFor={id}>
        Batch of update {chosen.update}
        <span className="soft">
          {last === 0
            ? `, the only one so far: one is measured every ${plural(every, 'update')}`
            : isNewest
              ? ', the newest measured'
              : ''}
        </span>
      </label>
      <input
        id={id}
        type="range"
        data-testid="diagnosis-batch"
        min={0}
        max={last}
        value={diagnoses.indexOf(chosen)}
        disabled={last === 0}
        aria-valuetext={`update ${chosen.update}`}
        onChange={({ target }) => {
          const index = Number(target.value);
          onChoose(index === last ? null : (diagnoses[index]?.update ?? null));
        }}
      />
    </div>
  );
}

interface SeedProps {
  readonly seeds: number;
  readonly chosen: SeedChoice;
  readonly onChoose: (seed: SeedChoice) => void;
}

function SeedChooser({ seeds, chosen, onChoose }: SeedProps) {
  if (seeds === 1) return null;
  return (
    <Choice
      label="Numbers of"
      testId="diagnosis-seed"
      value={String(chosen)}
      options={[
        ['mean', `all ${seeds} seeds, mean`],
        ...seedNames(seeds).map((name) => [name, `seed ${name}`] as const),
      ]}
      onChoose={(value) => onChoose(value === 'mean' ? 'mean' : Number(value))}
    />
  );
}

/** Sizes of the two gradients in each layer, and their agreement: two bars and a cosine a layer and arm. */
function LayerTable({ layers, arms }: { layers: readonly string[]; arms: readonly DiagnosedArm[] }) {
  return (
    <Titled title="Gradient by layer" as="h4">
      <Caption
        said={
          <>
            Gradient of <span className="diagnostics-key token-action" /> policy and{' '}
            <span className="diagnostics-key token-observation" /> prediction, and their cosine.
          </>
        }
        about="the gradients"
      >
        Norms in a layer’s parameters before clipping, each arm on a scale of its own. The policy’s part: policy
        gradient, critic, KL, entropy. Cosine: above 0 they pull the same way, below against each other.
      </Caption>
      <Table className="table-blocks table-even small full" columns={[namedColumn('Layer'), ...armColumns(arms)]}>
        {layers.map((layer, index) => (
          <Row key={layer} head={layer}>
            {arms.map((arm) => (
              <Cell key={arm.id} arm={arm} layer={layer} numbers={arm.found.layers[index] as LayerNumbers} />
            ))}
          </Row>
        ))}
      </Table>
    </Titled>
  );
}

function Cell({
  arm,
  layer,
  numbers: { policy, worldModel, cosine },
}: {
  arm: DiagnosedArm;
  layer: string;
  numbers: LayerNumbers;
}) {
  const longest = Math.max(...arm.found.layers.flatMap((one) => [one.policy, one.worldModel]));
  const length = (norm: number): number => (longest > 0 ? (100 * norm) / longest : 0);
  return (
    <td
      data-label={arm.name}
      data-testid={`layer-${arm.id}-${layer}`}
      data-policy={policy}
      data-world-model={worldModel}
      data-cosine={cosine}
    >
      <span className="row near between unbroken">
        <span>
          {written(policy)}
          <span className="hidden-text"> policy,</span> <span className="soft">·</span> {written(worldModel)}
          <span className="hidden-text"> prediction</span>
        </span>
        <span className="soft">{Number.isNaN(cosine) ? '' : `cos ${formatSigned(cosine, 2)}`}</span>
      </span>
      <svg className="diagnostics-track full block" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="veil" width="100" height="8" />
        <rect className="token-action" width={length(policy)} height="4" />
        <rect className="token-observation" width={length(worldModel)} y="4" height="4" />
      </svg>
    </td>
  );
}
