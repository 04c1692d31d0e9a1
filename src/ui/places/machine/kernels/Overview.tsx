/** Every kernel in a line: its name, what it computes, which operation uses it, and how it agreed with the reference. */

import { type ReactNode, useState } from 'react';
import type { KernelDesk } from '../../../../store/desk/kernels';
import type { KernelText } from '../../../../train/kernels/report';
import { Button } from '../../../kit/Button';
import { SearchField } from '../../../kit/Fields';
import { plural } from '../../../kit/format';
import { PlaceHead } from '../../../model/Group';
import { placeLink } from '../../../model/place';
import { Fixtures } from './Fixtures';
import { checkOf, firstSentence, found, toleranceWords } from './kernelWords';
import { Name } from './Name';
import { useKernels } from './useKernels';
import { WorkLine } from './WorkLine';
import './overview.css';

interface OverviewProps {
  /** Store; null until it and the kernels' texts are there: heading and search need neither. */
  readonly store: KernelDesk | null;
  readonly kernels: readonly KernelText[] | null;
  /** Content in place of the list until then. */
  readonly children: ReactNode;
}

export function Overview({ store, kernels, children }: OverviewProps) {
  const [search, setSearch] = useState('');
  const shown = found(kernels ?? [], search);
  const families = [...new Set(shown.map(({ family }) => family))];
  return (
    <>
      <PlaceHead
        id="kernels"
        about="A kernel is a small GPU program; these do all of the lab’s GPU work. A check compares a kernel with a float64 reference on this device. The heavy ones can be timed against this device’s best."
      />
      <div className="split kernel-split">
        <div>{store !== null && kernels !== null && <CheckAll store={store} kernels={kernels} />}</div>
        {store !== null && <Fixtures store={store} />}
      </div>
      {store !== null && <WorkLine store={store} />}
      <label className="kernels-search row">
        <span>Search</span>
        <SearchField
          className="field search"
          data-testid="kernels-search"
          placeholder="log prob, attention, GAE"
          text={search}
          onText={setSearch}
        />
        <span className="small soft" aria-live="polite">
          {kernels !== null && foundWords(shown.length, kernels.length)}
        </span>
      </label>
      {families.map((family, at) => (
        <section key={family} aria-label={family}>
          <div className="kernel-row kernel-family baseline ruled">
            <h3>{family}</h3>
            {at === 0 &&
              ['Computes', 'Used by', 'Error / allowed'].map((head) => (
                <span key={head} className="small soft" aria-hidden="true">
                  {head}
                </span>
              ))}
          </div>
          <ul>
            {shown
              .filter((kernel) => kernel.family === family)
              .map((kernel) => store !== null && <Row key={kernel.name} store={store} kernel={kernel} />)}
          </ul>
        </section>
      ))}
      {kernels === null && children}
      {kernels !== null && shown.length === 0 && <p className="soft">No kernel has all of these words.</p>}
    </>
  );
}

const foundWords = (shown: number, all: number): string =>
  shown === all ? plural(all, 'kernel') : `${shown} of ${all}`;

function Row({ store, kernel }: { store: KernelDesk; kernel: KernelText }) {
  const checks = useKernels(store, (state) => state.checks);
  const check = checkOf(kernel, checks);
  return (
    <li className="kernel-row baseline ruled" data-testid={`kernel-${kernel.name}`}>
      <a className="kernel-name breaks" href={placeLink('kernels', kernel.name)}>
        <Name name={kernel.name} />
      </a>
      <p className="small">{firstSentence(kernel.about)}</p>
      <span className="small soft kernel-serves breaks">{kernel.operations.join(', ')}</span>
      <span className="small">
        {check === null ? (
          <span className="soft">
            <span aria-hidden="true">–</span>
            <span className="hidden-text">not checked</span>
          </span>
        ) : check.worst === null ? (
          <span className="soft">not reached</span>
        ) : check.failed > 0 ? (
          <b>{toleranceWords(check.worst.worst)}, fails</b>
        ) : (
          toleranceWords(check.worst.worst)
        )}
      </span>
    </li>
  );
}

function CheckAll({ store, kernels }: { store: KernelDesk; kernels: readonly KernelText[] }) {
  const work = useKernels(store, (state) => state.work);
  const checks = useKernels(store, (state) => state.checks);
  const all = kernels.map((kernel) => checkOf(kernel, checks)).filter((check) => check !== null);
  const failed = all.filter((check) => check.failed > 0).length;
  const worst = Math.max(0, ...all.map((check) => check.worst?.worst ?? 0));
  const cases = checks.reduce((sum, check) => sum + check.cases.length, 0);
  return (
    <div className="row above-8">
      <Button
        className="button-primary"
        disabled={work !== null}
        onClick={() => store.check(kernels.map(({ name }) => name))}
      >
        Check all
      </Button>
      <p className="small" data-testid="kernels-summary">
        {all.length === 0
          ? 'Several hundred cases: seconds on a GPU, minutes without.'
          : `${all.length} of ${kernels.length} kernels checked in ${plural(cases, 'case')}: ${
              failed === 0 ? 'all agree' : `${plural(failed, 'kernel')} beyond tolerance`
            }, at worst ${worst === 0 ? 'exactly' : `at ${toleranceWords(worst)} of the tolerance`}.`}
      </p>
    </div>
  );
}
