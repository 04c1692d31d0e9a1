/** A batch of somebody's trainer: chosen or dropped, read in this tab alone, audited, and put under other losses. */

import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { RuleReport } from '../../../../batch/audit/report';
import { markdownOf } from '../../../../batch/words/markdown';
import type { BatchSummary } from '../../../../batch/words/told';
import { extentOf, lacksOf, roleCells } from '../../../../batch/words/words';
import { BatchDesk } from '../../../../store/desk/batch';
import { Button } from '../../../kit/Button';
import { DropPlace } from '../../../kit/FileButton';
import { formatPercent, plural } from '../../../kit/format';
import { saveFile } from '../../../kit/saveFile';
import { Titled } from '../../../kit/Titled';
import { BatchTokens } from '../../../model/batch/BatchTokens';
import { placeNamed, tokenLink } from '../../../model/batch/tokenLink';
import { Group } from '../../../model/Group';
import { BatchWhatIf, Failure } from './BatchWhatIf';
import { CellTable } from './CellTable';

/** Outlives the page that shows it, so that the batch is still there on return. */
const desk = new BatchDesk();

const EXAMPLES = {
  'clean.jsonl': () => import('../../../../../docs/batch/clean.jsonl?raw'),
  'leak.jsonl': () => import('../../../../../docs/batch/leak.jsonl?raw'),
} as const;

export function BatchPage({ name }: { name: string }) {
  const told = useStore(desk.store, (state) => state.told);
  const place = placeNamed(name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address alone says when
  useEffect(() => {
    if (place !== null) desk.open(place);
  }, [name]);
  return (
    <Group
      id="batch"
      about="A batch that verl, TRL, verifiers or another trainer wrote: which tokens learn, and what is wrong with its masks and numbers. Nothing leaves this tab."
    >
      <Choose />
      {told === null && place !== null && (
        <p>
          The address names token {place.token} of trajectory {place.trajectory}: choose the file that it is of.
        </p>
      )}
      <Progress />
      {told !== null && (
        <>
          <Found told={told} />
          <BatchAudit rules={told.rules} desk={desk} />
          <BatchTokens desk={desk} trajectories={told.trajectories} />
          <BatchWhatIf told={told} desk={desk} />
        </>
      )}
    </Group>
  );
}

function Choose() {
  const example = (name: keyof typeof EXAMPLES) => async () => {
    const { default: text } = await EXAMPLES[name]();
    desk.close();
    desk.read([new File([text], name)]);
  };
  return (
    <DropPlace label="Choose a batch" onFiles={(files) => desk.read(files)}>
      <label className="batch-file stack">
        <span>
          Choose or drop files: JSON lines (also gzip) or Parquet. Add the model’s tokenizer.json to read the text of
          each token id. Add its tokenizer_config.json or a chat template to check what stands around the turns.
        </span>
        <input
          type="file"
          multiple
          data-testid="batch-file"
          onChange={({ target }) => {
            desk.read([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </label>
      <div className="row padded">
        <Button data-testid="batch-leak" onClick={example('leak.jsonl')}>
          Example with a fault
        </Button>
        <Button data-testid="batch-clean" onClick={example('clean.jsonl')}>
          Example without a fault
        </Button>
      </div>
    </DropPlace>
  );
}

function Progress() {
  const { phase, name, share } = useStore(desk.store);
  if (phase === 'idle') return null;
  const words = {
    reading: `Reading ${name}: ${formatPercent(share)}.`,
    comparing: 'Working out the losses.',
    read: `${name} was read.`,
    failed: null,
  }[phase];
  return (
    <div className="row padded" data-phase={phase}>
      {phase === 'reading' && <progress max={1} value={share} aria-label="Share of the file that was read" />}
      {words === null ? <Failure desk={desk} /> : <p className="small soft">{words}</p>}
      <Button onClick={() => desk.close()}>{phase === 'reading' ? 'Cancel' : 'Close the batch'}</Button>
    </div>
  );
}

function Found({ told }: { told: BatchSummary }) {
  const { trajectories, tokens, forms, problemCount, problems, roles, files } = told;
  const save = (ending: string, text: string) => saveFile(`${files[0] ?? 'batch'}.${ending}`, new Blob([text]));
  return (
    <Titled title="What was found" className="batch-part">
      <p>
        {trajectories.toLocaleString('en')} trajectories, {tokens.toLocaleString('en')} tokens.
      </p>
      {forms.map((form) => (
        <dl key={form.form} className="facts row-close">
          <dt>Form</dt>
          <dd>
            {form.name} ({plural(form.trajectories, 'trajectory', 'trajectories')})
          </dd>
          <dt>Found</dt>
          <dd>{form.found.join(', ') || 'texts'}</dd>
          <dt>Missing</dt>
          <dd>{form.missing.join(', ') || 'nothing'}</dd>
        </dl>
      ))}
      {problemCount > 0 && (
        <details data-testid="batch-problems">
          <summary>{problemCount.toLocaleString('en')} problems in lines; the others are kept</summary>
          <ul className="bullets">
            {problems.map(({ line, what }) => (
              <li key={`${line} ${what}`}>
                Line {line} {what}
              </li>
            ))}
          </ul>
        </details>
      )}
      {roles.length > 0 && <CellTable cells={roleCells(roles)} caption="Tokens and weights by role" />}
      <div className="row padded">
        <Button onClick={() => save('audit.md', markdownOf(told))}>Save as Markdown</Button>
        <Button onClick={() => save('audit.json', `${JSON.stringify(told)}\n`)}>Save as JSON</Button>
      </div>
    </Titled>
  );
}

/** Rules of the audit: those that found something with their tokens as links, the others in a line. */
function BatchAudit({ rules, desk }: { rules: readonly RuleReport[]; desk: BatchDesk }) {
  const of = (state: RuleReport['state']): readonly RuleReport[] => rules.filter((rule) => rule.state === state);
  const names = (state: RuleReport['state']): string =>
    of(state)
      .map(({ rule }) => rule)
      .join(', ');
  return (
    <Titled title="Audit" className="batch-part" testId="batch-audit">
      {of('found').map((report) => (
        <Finding key={report.rule} report={report} desk={desk} />
      ))}
      {names('found') === '' && <p>Nothing was found.</p>}
      <p className="small soft">Checked, without a fault: {names('clean') || 'none'}.</p>
      {of('unseen').length > 0 && (
        <details data-testid="batch-unseen">
          <summary>Not checked, for want of numbers: {of('unseen').length}</summary>
          <ul className="bullets">
            {of('unseen').map((report) => (
              <li key={report.rule}>
                {report.rule} {lacksOf(report)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Titled>
  );
}

function Finding({ report, desk }: { report: RuleReport; desk: BatchDesk }) {
  const { rule, meaning, places, found, verl, trl, note } = report;
  const go = (trajectory: number, token: number | null) => () => {
    desk.open({ trajectory, token: token ?? 0 });
    document.getElementById('batch-tokens')?.scrollIntoView({ block: 'start' });
  };
  return (
    <article className="padded" data-testid={`batch-rule-${rule}`}>
      <h4>
        {rule} <span className="soft">{[extentOf(report), note].filter((one) => one !== null).join('; ')}</span>
      </h4>
      <p>{meaning}</p>
      <ul className="bullets">
        {places.map(({ line, trajectory, token, what }) => (
          <li key={`${trajectory} ${token} ${what}`}>
            <a href={tokenLink(trajectory, token ?? 0)} onClick={go(trajectory, token)}>
              Line {line}
              {token === null ? '' : `, token ${token}`}
            </a>
            : {what}
          </li>
        ))}
        {found > places.length && <li>and {(found - places.length).toLocaleString('en')} more</li>}
      </ul>
      <p className="small above-8">
        <strong>verl:</strong> {verl}
      </p>
      <p className="small above-4">
        <strong>TRL:</strong> {trl}
      </p>
    </article>
  );
}
