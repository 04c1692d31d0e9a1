/** One member of the run as a file, whenever the person wants it: ONNX, or a folder like that of the model it began from. */

import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { isFixed } from '../../../../experiment/arm/policyFiles';
import { findModel } from '../../../../experiment/models';
import { COMMON_LICENCES, isLicence, NO_LICENCE } from '../../../../foundation/licence';
import { type ExportedPolicy, hasPolicies, type Policies } from '../../../../store/keep/policies';
import { Button } from '../../../kit/Button';
import { StackedChoice } from '../../../kit/Choice';
import { Check } from '../../../kit/Fields';
import { formatCount, plural } from '../../../kit/format';
import { saveFile } from '../../../kit/saveFile';
import { seedNames } from '../../../model/seedNames';
import { useHidden } from '../../../model/useHidden';
import { useLab, useLabState, usePreferences } from '../../../model/useLab';
import { folderSnippet, snippet } from './snippet';

export function SavePolicy({ policies }: { policies: Policies }) {
  const running = useLabState((state) => state.running);
  const ready = useLabState(hasPolicies);
  const phase = useStore(policies.store, (state) => state.phase);
  const [chosen, setArm] = useState('');
  const [seed, setSeed] = useState(0);
  const [cached, setCached] = useState(false);
  const [isLicensed, setLicensed] = useState(true);
  const { preferences, models } = useLab();
  const isHidden = useHidden('policies');
  const ids = useId();
  // A fixed policy is a file already.
  const arms = (running?.arms ?? []).filter((arm) => !isFixed(arm));
  const arm = arms.find(({ id }) => id === chosen) ?? arms[0];
  const model = findModel(running?.policy.model ?? '');
  // A file of adapters does not hold the model below them, so it is no whole graph.
  const isAdapter = (running?.policy.adapterRank ?? 0) > 0;
  const save = (as?: 'folder' | 'merged'): void => {
    if (arm === undefined || running === null) return;
    const { licence } = preferences.getState();
    const merged = as === 'merged';
    const request = { arm: arm.id, seed: Math.min(seed, running.seeds - 1), cached, licence, merged };
    const isFolder = as !== undefined && model !== undefined;
    void policies.export(request, download, isFolder ? () => models.folder(model, merged) : undefined);
  };
  return (
    <section aria-labelledby={`${ids}-title`} className="policies-part">
      <h3 id={`${ids}-title`}>Save a policy of this run</h3>
      {arm === undefined || running === null || !ready ? (
        <p className="soft">
          Nothing is being trained yet. Once a run has begun, any of its policies can be saved at any moment.
        </p>
      ) : (
        <>
          <div className="row padded ends">
            <StackedChoice
              label="Arm"
              testId="export-arm"
              value={arm.id}
              options={arms.map(({ id, name }) => [id, name])}
              onChoose={setArm}
            />
            <StackedChoice
              label="Seed"
              testId="export-seed"
              value={String(seed)}
              options={seedNames(running.seeds).map((name) => [name, name])}
              onChoose={(value) => setSeed(Number(value))}
            />
            {!isHidden && <LicenceField onJudged={setLicensed} />}
            {!isAdapter && (
              <Check className="line inline closer tall" checked={cached} onCheck={setCached}>
                <span>Remember earlier tokens (key-value cache)</span>
              </Check>
            )}
            <span className="line inline">
              {!isAdapter && (
                <Button
                  className="button-primary"
                  data-testid="export-policy"
                  disabled={phase !== 'idle' || !isLicensed}
                  onClick={() => save()}
                >
                  Save as ONNX
                </Button>
              )}
              {model !== undefined && (
                <Button
                  className={isAdapter ? 'button-primary' : ''}
                  data-testid="export-folder"
                  disabled={phase !== 'idle' || !isLicensed}
                  onClick={() => save('folder')}
                >
                  {isAdapter ? 'Save the adapter for PEFT' : 'Save for Hugging Face'}
                </Button>
              )}
              {model !== undefined && isAdapter && (
                <Button
                  data-testid="export-merged"
                  disabled={phase !== 'idle' || !isLicensed}
                  onClick={() => save('merged')}
                >
                  Save the model, adapter merged
                </Button>
              )}
            </span>
          </div>
          <Saved policies={policies} />
        </>
      )}
      <details>
        <summary>How to use the file in Python</summary>
        {!isAdapter && (
          <>
            <p className="small soft">
              Runs in onnxruntime 1.17 or newer. Token ids go in; logits, a score for each word, come out. Words, world
              and results are in the metadata. With the box ticked, earlier tokens are remembered and each new one costs
              one step.
            </p>
            <Python text={snippet(cached)} />
          </>
        )}
        {model !== undefined && (
          <>
            <p className="small soft">What is saved for Hugging Face is unzipped first.</p>
            <Python text={folderSnippet(isAdapter)} />
          </>
        )}
      </details>
    </section>
  );
}

const Python = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <pre className="policies-code fine fit" tabIndex={0}>
    {text}
  </pre>
);

function Saved({ policies }: { policies: Policies }) {
  const { phase, saved } = useStore(policies.store);
  return (
    <p className="small" aria-live="polite" data-testid="export-said">
      {phase === 'exporting' && 'Waiting for the end of an update.'}
      {saved !== null &&
        `${saved.name}: ${formatCount(saved.bytes.length)} bytes, after ${plural(saved.update, 'update')}.`}
      {saved?.hasDiverged === true &&
        ' This policy has diverged: the file holds it as it was when its last finite gradient changed it.'}
      &nbsp;
    </p>
  );
}

const download = ({ name, bytes }: ExportedPolicy): void =>
  saveFile(name, new Blob([bytes], { type: 'application/octet-stream' }));

/** `onJudged`: called with true if a policy can be saved with the typed licence. */
function LicenceField({ onJudged }: { readonly onJudged: (isSound: boolean) => void }) {
  const { preferences } = useLab();
  const kept = usePreferences((state) => state.licence);
  const [text, setText] = useState(kept === NO_LICENCE ? '' : kept);
  const id = useId();
  const expression = (typed: string): string => typed.trim() || NO_LICENCE;
  const isSound = isLicence(expression(text));
  const write = (typed: string): void => {
    setText(typed);
    const judged = isLicence(expression(typed));
    if (judged) preferences.setState({ licence: expression(typed) });
    onJudged(judged);
  };
  return (
    <>
      <label className="stack close fit">
        <span className="small soft">Licence written into the file</span>
        <input
          className="field"
          data-testid="licence"
          list={`${id}-common`}
          value={text}
          placeholder="none stated"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={!isSound}
          aria-describedby={isSound ? undefined : `${id}-problem`}
          onChange={({ target }) => write(target.value)}
        />
      </label>
      <datalist id={`${id}-common`}>
        {COMMON_LICENCES.map((licence) => (
          <option key={licence} value={licence} />
        ))}
      </datalist>
      {!isSound && (
        <span id={`${id}-problem`} className="small" role="alert">
          SPDX has no such expression: write MIT or “CC-BY-4.0 OR MIT” for instance, or nothing.
        </span>
      )}
    </>
  );
}
