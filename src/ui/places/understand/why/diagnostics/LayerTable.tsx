/** How large the two gradients are in each layer, and whether they agree: two bars and a cosine a layer and arm. */
import type { LayerNumbers } from '../../../../../rl/look/diagnosis/table';
import { formatSigned } from '../../../../kit/format';
import { Row, Table } from '../../../../kit/Table';
import { armColumns, namedColumn } from './armColumns';
import type { DiagnosedArm } from './types';
import { written } from './written';

export function LayerTable({ layers, arms }: { layers: readonly string[]; arms: readonly DiagnosedArm[] }) {
  return (
    <section aria-labelledby="diagnosis-layers">
      <h4 id="diagnosis-layers">Gradient by layer</h4>
      <p className="small soft diagnostics-help">
        Norm of the gradient in a layer’s parameters before clipping: the{' '}
        <span className="diagnostics-key diagnostics-action" /> policy’s part (policy gradient, critic, KL, entropy) and
        the <span className="diagnostics-key diagnostics-observation" /> world model’s, each arm on a scale of its own;
        and their cosine: above 0 they pull the same way, below against each other.
      </p>
      <Table
        className="diagnostics-table diagnostics-layers small"
        columns={[namedColumn('Layer'), ...armColumns(arms)]}
      >
        {layers.map((layer, index) => (
          <Row key={layer} head={layer}>
            {arms.map((arm) => (
              <Cell key={arm.id} arm={arm} layer={layer} numbers={arm.found.layers[index] as LayerNumbers} />
            ))}
          </Row>
        ))}
      </Table>
    </section>
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
      data-arm={arm.name}
      data-testid={`layer-${arm.id}-${layer}`}
      data-policy={policy}
      data-world-model={worldModel}
      data-cosine={cosine}
    >
      <span className="diagnostics-figures">
        <span>
          {written(policy)}
          <span className="hidden-text"> policy,</span> <span className="soft">·</span> {written(worldModel)}
          <span className="hidden-text"> world model</span>
        </span>
        <span className="soft">{Number.isNaN(cosine) ? '' : `cos ${formatSigned(cosine, 2)}`}</span>
      </span>
      <svg className="diagnostics-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="diagnostics-slot" width="100" height="8" />
        <rect className="diagnostics-action" width={length(policy)} height="4" />
        <rect className="diagnostics-observation" width={length(worldModel)} y="4" height="4" />
      </svg>
    </td>
  );
}
