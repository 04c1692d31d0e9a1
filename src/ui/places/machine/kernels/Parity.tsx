/** Agreement of a kernel with the float64 reference on this device: the worst case first, every case on request. */

import { isCpu } from '../../../../foundation/cpuVariants';
import type { KernelDesk } from '../../../../store/desk/kernels';
import type { CheckedCase, KernelText } from '../../../../train/kernels/report';
import { Button } from '../../../kit/Button';
import { formatCount, plural } from '../../../kit/format';
import { Row, Table } from '../../../kit/Table';
import { checkOf, type KernelCheck, toleranceWords } from './kernelWords';
import { useKernels } from './useKernels';

/** Failures that are written out. */
const TOLD = 10;

export function Parity({ store, kernel }: { store: KernelDesk; kernel: KernelText }) {
  const checks = useKernels(store, (state) => state.checks);
  const busy = useKernels(store, (state) => state.work !== null);
  const check = checkOf(kernel, checks);
  return (
    <section className="kernel-part shrinks ruled" aria-labelledby="kernel-parity">
      <div className="row tall">
        <h3 id="kernel-parity">Agreement with float64, on this device</h3>
        <Button data-testid="kernel-check" disabled={busy} onClick={() => store.check([kernel.name])}>
          {check === null ? 'Check' : 'Check again'}
        </Button>
      </div>
      {check === null ? (
        <p className="small soft measure above-4">
          Runs its test cases here and on the reference, and compares every number. 1 is the largest error allowed.
        </p>
      ) : (
        <Result check={check} />
      )}
    </section>
  );
}

function Result({ check }: { check: KernelCheck }) {
  const { worst, failed, cases, compared, seconds, device } = check;
  if (worst === null) {
    return (
      <p className="small measure above-4" data-testid="kernel-result">
        None of the cases dispatched this kernel on {device.description}.
      </p>
    );
  }
  return (
    <>
      <p className="kernel-figure above-8" data-testid="kernel-result" data-worst={worst.worst} data-kind={device.kind}>
        <b className="largest bold">{toleranceWords(worst.worst)}</b>{' '}
        {worst.worst === 0 ? 'in every number' : 'of the tolerance, at worst'}
      </p>
      <p className="small measure above-4">
        {failed === 0 ? 'All agree' : `${plural(failed, 'case')} beyond tolerance`}: {plural(cases.length, 'case')},{' '}
        {formatCount(compared)} numbers, {seconds.toFixed(1)} s on {device.description}.
        {isCpu(device.kind) && ' These are the operations of the CPU backend, not the WGSL below.'}
        {worst.where !== '' && (
          <>
            {' '}
            The worst is {worst.where} of “{worst.name}”, {worst.error.toExponential(1)} off.
          </>
        )}
      </p>
      {failed > 0 && (
        <ul className="small stack close breaks above-8">
          {cases
            .filter(({ failures }) => failures.length > 0)
            .slice(0, TOLD)
            .map((one) => (
              <li key={one.name}>
                <b>{one.name}</b>: {one.failures.join('; ')}
              </li>
            ))}
        </ul>
      )}
      <details className="kernel-details small above-8">
        <summary>{plural(cases.length, 'case')}</summary>
        <CaseTable cases={cases} />
      </details>
    </>
  );
}

function CaseTable({ cases }: { cases: readonly CheckedCase[] }) {
  const sorted = [...cases].sort((a, b) => b.worst - a.worst);
  return (
    <Table
      className="table-numbers full under-8 small"
      caption="Cases, the worst first"
      columns={['Case', 'Members', 'Numbers', 'Worst error (1 = allowed)']}
    >
      {sorted.map(({ name, members, compared, worst }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a case stands here once a variant.
        <Row key={`${name} ${i}`} head={name} cells={[members, formatCount(compared), toleranceWords(worst)]} />
      ))}
    </Table>
  );
}
