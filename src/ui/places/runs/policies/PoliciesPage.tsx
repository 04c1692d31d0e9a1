/** The place of policies: a member of the run leaves as ONNX, a file comes in as a start, a reference or an arm, and plays. */

import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import { useStore } from 'zustand';
import { mebibytes } from '../../../../foundation/bytes';
import { POLICY_ARCHIVE_LIMITS } from '../../../../storage/policies';
import type { Policies } from '../../../../store/keep/policies';
import { Button } from '../../../kit/Button';
import { Refusal } from '../../../kit/Fields';
import { formatCount } from '../../../kit/format';
import { part, useArrived } from '../../../kit/part';
import { Titled } from '../../../kit/Titled';
import { Group } from '../../../model/Group';
import { goTo, placeLink } from '../../../model/place';
import { policiesRequest } from '../../../model/policies/openPolicies';
import { FolderProblem } from '../../../model/settings/FolderButton';
import { useLab } from '../../../model/useLab';
import { OpenPolicy } from './OpenPolicy';
import { SavePolicy } from './SavePolicy';
import { Watch } from './Watch';
import './policies.css';

const TuneText = part('Teaching a text', () => import('./tune/TuneText'), 'TuneText');
const ReadText = part('Reading texts', () => import('./text/ReadText'), 'ReadText');

/**
 * `name`: `watch` for the world's trained agent at work, `text` for a text and another model, `tune` for a text that is learned;
 * else files.
 */
export function PoliciesPage({ name }: { name: string }) {
  const policies = useArrived(useLab().policies);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is another page
  useLayoutEffect(() => void scrollTo(0, 0), [name]);
  return (
    <Group key={name} id="policies" about="Trained networks as files: save one of this run, open one, watch one play.">
      {name === 'text' ? (
        <Apart title={READ}>
          <ReadText />
        </Apart>
      ) : name === 'tune' ? (
        <Apart title={TEACH}>
          <TuneText />
        </Apart>
      ) : (
        policies !== null && (
          <>
            <Problem policies={policies} />
            {name === 'watch' ? <Trained policies={policies} /> : <Files policies={policies} />}
            <Another />
          </>
        )
      )}
    </Group>
  );
}

function Files({ policies, isWatched = false }: { policies: Policies; isWatched?: boolean }) {
  const file = useStore(policiesRequest, (state) => state.file);
  useEffect(() => {
    if (file === null) return;
    policiesRequest.setState({ file: null });
    policies.open(file);
  }, [policies, file]);
  return (
    <>
      <SavePolicy policies={policies} />
      <OpenPolicy policies={policies} onUsed={() => goTo('lab')} isWatched={isWatched} />
      <KeptPolicies policies={policies} />
    </>
  );
}

/** The agent first; what it is as a file only then. */
function Trained({ policies }: { policies: Policies }) {
  const lab = useLab();
  const { opened, phase } = useStore(policies.store);
  useEffect(() => void policies.watch(lab.store.getState().edited.environment.id), [lab, policies]);
  return (
    <>
      <Titled title="A trained agent at work" className="policies-part">
        {opened === null ? (
          <p aria-live="polite">{phase === 'idle' ? '' : 'Its policy is being read.'}</p>
        ) : (
          <Watch policies={policies} />
        )}
      </Titled>
      <details className="policies-part" data-testid="watched-file">
        <summary>Begin from it, or from another file</summary>
        <Files policies={policies} isWatched />
      </details>
    </>
  );
}

const [READ, TEACH] = ['Read a text with another model', 'Teach a language model a text'] as const;

function Another() {
  return (
    <>
      <Titled title={TEACH} className="policies-part">
        <p className="small soft">A model of the Llama family learns your text, and policies can begin from it.</p>
        <div className="row padded">
          <a className="button" href={placeLink('policies', 'tune')}>
            Teach a text
          </a>
        </div>
      </Titled>
      <Titled title={READ} className="policies-part">
        <p className="small soft">Any language model in ONNX and a text: how much it expected each token.</p>
        <div className="row padded">
          <a className="button" data-testid="read-with-another" href={placeLink('policies', 'text')}>
            Read a text
          </a>
        </div>
      </Titled>
    </>
  );
}

/** A part with a page of its own. */
function Apart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Titled title={title} className="policies-part">
      {children}
      <div className="row padded">
        <a className="button" href={placeLink('policies')}>
          Back to policies
        </a>
      </div>
    </Titled>
  );
}

function Problem({ policies }: { policies: Policies }) {
  const problem = useStore(policies.store, (state) => state.problem);
  return (
    <Refusal problem={problem} className="aside" data-testid="policy-problem">
      {' '}
      Nothing in the lab has changed.
    </Refusal>
  );
}

/** The policies' files that this browser keeps over a reload, and a way to be rid of them. */
function KeptPolicies({ policies }: { policies: Policies }) {
  const { shelf, models } = useLab();
  const { kept, problem } = useStore(shelf.store);
  useEffect(() => void shelf.refresh(), [shelf]);
  const open = async (sha256: string): Promise<void> => {
    const file = await shelf.file(sha256);
    if (file === null) return;
    if (!(await models.beginFromKept(file))) policies.open(file);
    else if (models.store.getState().problem === null) goTo('lab');
  };
  if (problem !== null) return <p className="small soft">{problem}</p>;
  if (kept.length === 0) return null;
  return (
    <Titled title="Kept in this browser" className="policies-part" testId="kept-policies">
      <p className="small soft">
        Files you opened and models you taught, so that an experiment that names one finds it after a reload: at most{' '}
        {POLICY_ARCHIVE_LIMITS.files}, and {mebibytes(POLICY_ARCHIVE_LIMITS.bytes)} in all; the oldest go first.
      </p>
      <ul className="policies-kept">
        {kept.map(({ sha256, name, bytes }) => (
          <li key={sha256} className="row padded">
            <span>
              {name} <span className="small soft">{formatCount(bytes)} bytes</span>
            </span>
            <Button
              className="button-quiet small"
              aria-label={`Open ${name}, which this browser keeps`}
              data-testid="open-kept"
              onClick={() => void open(sha256)}
            >
              Open
            </Button>
            <Button
              className="button-quiet small"
              aria-label={`Delete ${name} from this browser`}
              onClick={() => void shelf.remove(sha256)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <FolderProblem />
    </Titled>
  );
}
