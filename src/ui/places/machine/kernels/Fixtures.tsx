/** Numbers that other projects' code gave, in a file, recomputed on this device with the operations that training uses. */
import type { KernelDesk } from '../../../../store/desk/kernels';
import type { FixtureReport } from '../../../../train/kernels/report';
import { DropPlace, FileButton } from '../../../kit/FileButton';
import { formatCount, plural } from '../../../kit/format';
import { Row, Table } from '../../../kit/Table';
import { toleranceWords } from './kernelWords';
import { useKernels } from './useKernels';

export function Fixtures({ store }: { store: KernelDesk }) {
  const busy = useKernels(store, (state) => state.work !== null);
  const report = useKernels(store, (state) => state.fixtures);
  const ended = useKernels(store, (state) => state.ended);
  const take = ([file]: Iterable<File>): void => {
    if (file !== undefined && !busy) store.checkFixtures(file);
  };
  return (
    <DropPlace label="A fixture file" className="fixtures" onFiles={take}>
      <h3>A fixture file</h3>
      <p className="small soft">
        Drop a file of another project’s numbers (format: docs/fixtures.md). This device computes the same cases and
        compares them; the file stays in this tab.
      </p>
      <FileButton
        words="Choose a file"
        accept="application/json,.json"
        testId="fixtures-file"
        disabled={busy}
        onChoose={take}
      />
      {ended?.work?.type === 'fixtures' && (
        <p className="fixtures-problem breaks" role="alert" data-testid="fixtures-problem">
          {ended.work.name}: {ended.what} {ended.advice}
        </p>
      )}
      {report !== null && <Report report={report} />}
    </DropPlace>
  );
}

function Report({ report }: { report: FixtureReport }) {
  const { name, device, cases, seconds } = report;
  const of = (outcome: string) => cases.filter((one) => one.outcome === outcome);
  const families = [...new Set(cases.map(({ family }) => family))];
  const other = cases.filter(({ outcome }) => outcome !== 'passed');
  return (
    <div data-testid="fixtures-report" data-failed={of('failed').length}>
      <p className="breaks above-4">
        <b>{name}</b>: {of('passed').length} passed, {of('failed').length} failed, {of('skipped').length} skipped, in{' '}
        {seconds.toFixed(1)} s on {device.description}.
      </p>
      <Table
        className="table-numbers full under-8 small"
        caption="By family"
        columns={['Family', 'Passed', 'Numbers', 'Worst error (1 = allowed)']}
      >
        {families.map((family) => {
          const own = cases.filter((one) => one.family === family);
          const run = own.filter(({ outcome }) => outcome !== 'skipped');
          const worst = Math.max(0, ...run.map((one) => one.worst?.share ?? 0));
          return (
            <Row key={family} head={family.replaceAll('_', ' ')}>
              <td>
                {run.filter(({ outcome }) => outcome === 'passed').length} of {run.length}
              </td>
              <td>{formatCount(own.reduce((sum, { compared }) => sum + compared, 0))}</td>
              <td>{toleranceWords(worst)}</td>
            </Row>
          );
        })}
      </Table>
      {other.length > 0 && (
        <ul className="small stack close breaks above-8" data-testid="fixtures-failures">
          {other.map((one) => (
            <li key={one.name}>
              <b>
                {one.name} {one.outcome}
              </b>
              : {one.reasons.join('; ')}
            </li>
          ))}
        </ul>
      )}
      <details className="kernel-details small above-8">
        <summary>{plural(cases.length, 'case')}</summary>
        <Table
          className="table-numbers full under-8 small"
          caption="Case by case"
          columns={['Case', 'Outcome', 'Worst error (1 = allowed)']}
        >
          {cases.map((one) => (
            <Row
              key={one.name}
              head={one.name}
              cells={[one.outcome, one.outcome === 'skipped' ? '–' : toleranceWords(one.worst?.share ?? 0)]}
            />
          ))}
        </Table>
      </details>
    </div>
  );
}
