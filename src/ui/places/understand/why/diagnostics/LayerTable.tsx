/** Sizes of the two gradients in each layer, and their agreement: two bars and a cosine a layer and arm. */

import type { LayerNumbers } from '../../../../../rl/look/diagnosis/table';
import { Caption } from '../../../../kit/Caption';
import { formatSigned } from '../../../../kit/format';
import { Row, Table } from '../../../../kit/Table';
import { Titled } from '../../../../kit/Titled';
import { armColumns, namedColumn } from './armColumns';
import type { DiagnosedArm } from './types';
import { written } from './written';

export function LayerTable({ layers, arms }: { layers: readonly string[]; arms: readonly DiagnosedArm[] }) {
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
      <span className="diagnostics-figures between unbroken">
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
