/** A policy out of a file: what it says of itself, and what it can be to the arms. */

import { useState } from 'react';
import { useStore } from 'zustand';
import { namedPolicies, shortHash } from '../../../../experiment/arm/policyFiles';
import { FINAL_UPDATES } from '../../../../experiment/conclude/statistics';
import type { Arm } from '../../../../experiment/experiment';
import { SHIPPED } from '../../../../experiment/shippedPolicies';
import { NO_LICENCE } from '../../../../foundation/licence';
import type { OpenedPolicy, Policies, PolicyUse } from '../../../../store/keep/policies';
import { fetchPolicy } from '../../../../store/keep/shippedPolicies';
import { type LabState, missingPolicies } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { FileButton } from '../../../kit/FileButton';
import { formatCount, formatMeasured, formatPercent, plural } from '../../../kit/format';
import { addFixedArm, canAddArm } from '../../../model/arms/edits';
import { placeLink } from '../../../model/place';
import { SHIPPED_WORDS } from '../../../model/policies/shippedWords';
import { useLab, useLabState } from '../../../model/useLab';
import { Watch } from './Watch';

interface Props {
  readonly policies: Policies;
  readonly onUsed: () => void;
  /** True if its play is shown elsewhere. */
  readonly isWatched: boolean;
}

export function OpenPolicy({ policies, onUsed, isWatched }: Props) {
  const { phase, opened } = useStore(policies.store);
  return (
    <section aria-label="Open a policy" className="policies-part">
      <h3>Open a policy</h3>
      <div className="row padded">
        <FileButton
          words={phase === 'reading' ? 'Reading' : 'Choose a file'}
          accept=".onnx"
          testId="open-policy"
          onChoose={([file]) => policies.open(file)}
        />
        <span className="small soft">or drop one anywhere on the page. It is read here and sent nowhere.</span>
      </div>
      <Shipped policies={policies} />
      {opened !== null && <Opened key={opened.sha256} {...{ opened, policies, onUsed, isWatched }} />}
    </section>
  );
}

function Opened({ opened, policies, onUsed, isWatched }: Props & { opened: OpenedPolicy }) {
  const { leaving } = useLab();
  const wanted = useLabState((state) => wantedInstead(state, opened.sha256));
  return (
    <div data-testid="opened-policy">
      <p>
        <b>{opened.name}</b>: {opened.environment}, {opened.member.arm}, seed {opened.member.seed}, after{' '}
        {plural(opened.update, 'update')}; {formatCount(opened.parameters)} parameters
      </p>
      <details className="small">
        <summary>SHA-256</summary>
        <code className="breaks">{opened.sha256}</code>
      </details>
      {wanted !== '' && (
        <p data-testid="not-the-wanted">
          It is not a file that this experiment asks for: that has the SHA-256 <code>{wanted}</code>.
        </p>
      )}
      <p className="small soft">{resultWords(opened)}</p>
      <Asked sha256={opened.sha256} />
      {!isWatched && <Watch policies={policies} />}
      {opened.strangeness === null && <AsArm opened={opened} onUsed={onUsed} />}
      {opened.misfit === null ? (
        <Uses policies={policies} onUsed={onUsed} />
      ) : (
        <div className="row padded">
          <p>This experiment cannot begin from it. {opened.misfit}</p>
          <Button
            data-testid="open-its-experiment"
            onClick={() => {
              onUsed();
              leaving.ask('The policy’s own experiment takes its place on screen.', () => policies.openItsExperiment());
            }}
          >
            Open its own experiment and begin from it
          </Button>
        </div>
      )}
    </div>
  );
}

/** Message that the experiment names this file, with the way back: the lab sends readers here for it. */
function Asked({ sha256 }: { sha256: string }) {
  const isNamed = useLabState((state) => namedPolicies(state.edited).includes(sha256));
  if (!isNamed) return null;
  return (
    <p data-testid="is-the-wanted">
      This experiment names it, and has it now. <a href={placeLink('lab')}>Back to the lab</a>
    </p>
  );
}

/** Beginnings of the hashes that the experiment waits for; nothing if the file is one that it names. */
function wantedInstead(state: LabState, sha256: string): string {
  if (namedPolicies(state.edited).includes(sha256)) return '';
  return missingPolicies(state, state.edited)
    .map((hash) => `${shortHash(hash)}…`)
    .join(', ');
}

/** Button that adds the policy as a fixed arm: it plays beside the arms that train and learns nothing. */
function AsArm({ opened, onUsed }: { opened: OpenedPolicy; onUsed: () => void }) {
  const lab = useLab();
  const addable = useLabState((state) => canAddArm(state.edited));
  const add = () => {
    lab.editor.edit(addFixedArm(lab.store.getState().edited, opened.sha256, opened.name));
    onUsed();
  };
  return (
    <div className="row padded">
      <Button data-testid="use-fixed" disabled={!addable} onClick={add}>
        Add it as an arm that stays as it is
      </Button>
    </div>
  );
}

function Uses({ policies, onUsed }: Omit<Props, 'isWatched'>) {
  const arms = useLabState((state) => state.edited.arms);
  const [chosen, setChosen] = useState('*');
  const concerns = ({ id }: Arm): boolean => chosen === '*' || id === chosen;
  const use = (as: PolicyUse) => () => {
    policies.use(as, concerns);
    onUsed();
  };
  return (
    <div className="row padded">
      <Choice
        labelClass="small soft"
        place="line inline fit"
        label="For"
        testId="use-arm"
        value={chosen}
        options={[['*', 'all arms'], ...arms.map(({ id, name }) => [id, name] as const)]}
        onChoose={setChosen}
      />
      <Button className="button-primary" data-testid="use-start" onClick={use('startPolicy')}>
        Continue training from it
      </Button>
      <Button data-testid="use-reference" onClick={use('referencePolicy')}>
        Measure the KL divergence from it
      </Button>
    </div>
  );
}

function resultWords({ results, licence }: OpenedPolicy): string {
  const { successRate, observationCrossEntropy } = results;
  const success =
    successRate == null ? '' : `Its success was ${formatPercent(successRate)} over its last ${FINAL_UPDATES} updates. `;
  const nats =
    observationCrossEntropy == null
      ? ''
      : `It predicted observations at ${formatMeasured(observationCrossEntropy)} nats a token. `;
  const words = licence === NO_LICENCE ? 'It states no licence.' : `Licence: ${licence}.`;
  return `${success}${nats}${words}`;
}

/** The policies that come with the lab, for the world on screen. */
function Shipped({ policies }: { policies: Policies }) {
  const environment = useLabState((state) => state.edited.environment.id);
  const idle = useStore(policies.store, (state) => state.phase === 'idle');
  const shipped = SHIPPED.policies.filter((one) => one.environment === environment);
  if (shipped.length === 0) return null;
  return (
    <div className="row padded">
      <span>Or one that comes with the lab:</span>
      {shipped.map((one) => (
        <Button
          key={one.file}
          data-testid={`shipped-${one.kind}`}
          disabled={!idle}
          onClick={() => {
            fetchPolicy(one).then(
              (file) => policies.open(file),
              (cause: unknown) => policies.refuse(cause),
            );
          }}
        >
          {SHIPPED_WORDS[one.kind].long}
        </Button>
      ))}
    </div>
  );
}
