/** The result for the link, offered once a run has measured something, and files: made by code loaded when first asked for. */

import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { apart } from '../../../foundation/apart';
import { hasTrajectories } from '../../../store/look/trajectories';
import { Button } from '../../kit/Button';
import { CopyButton, CopyField, copied, Refusal, useAttempt } from '../../kit/Fields';
import { saveFile } from '../../kit/saveFile';
import { useKeptRuns, useLab, useLabState } from '../../model/useLab';
import { RunNote } from '../../places/runs/RunNote';
import type { FileKind } from './files';

const files = apart(() => import('./files'));

const KINDS: readonly (readonly [FileKind, string])[] = [
  ['report', 'Report (HTML)'],
  ['csv', 'Data (CSV)'],
  ['json', 'Data (JSON)'],
];
const CARDS: readonly (readonly [FileKind, string])[] = [
  ['png', 'Card (PNG)'],
  ['svg', 'Card (SVG)'],
];
const TRAJECTORIES = ['jsonl', 'Trajectories of the task on screen (JSONL)'] as const;

/** `link`: to the experiment, with the parts it hides. `children`: buttons for files of the experiment. */
export function RunFiles({ link, children }: { link: string; children: ReactNode }) {
  const lab = useLab();
  /** Result that the link carries (`&result=…`), once asked for. */
  const [result, setResult] = useState<string | null>(null);
  /** Reason why a file was not made. */
  const [refusal, attempt] = useAttempt();
  const shown = useRef<HTMLInputElement>(null);
  /** The note's way into the kept run, awaited before a file is made: a press on a button may end the typing of it. */
  const noted = useRef(Promise.resolve());
  const measured = useLabState(({ history, update }) => history !== null && update > 0);
  const live = useLabState(hasTrajectories);
  const kept = useKeptRuns(({ runs, shown }) => runs.find(({ id }) => id === shown));
  const save = (kind: FileKind) => async () => {
    await noted.current;
    const file = await (await files()).shareAs(lab, kind, link);
    if (file !== null) saveFile(file.name, file.content);
    return '';
  };
  const copyAsCard = async () => {
    await noted.current;
    await (await files()).copyCard(lab, link);
    return 'The card is in your clipboard, as a picture.';
  };
  const copy = async () => {
    await noted.current;
    const written = await (await files()).writeResult(lab);
    flushSync(() => setResult(written));
    return copied('The link with the result', link + written, shown.current);
  };
  const kinds = measured ? [...KINDS, ...(live ? [TRAJECTORIES] : [])] : [];
  const saving = (all: readonly (readonly [FileKind, string])[]) =>
    all.map(([kind, words]) => (
      <Button key={kind} data-testid={`save-${kind}`} onClick={() => attempt(save(kind))}>
        {words}
      </Button>
    ));
  return (
    <>
      {measured && (
        <>
          <p>With the result the link also holds your curves: its reader sees them, and whether theirs are the same.</p>
          {kept !== undefined && (
            <RunNote
              key={kept.id}
              label="Note, for those who open it"
              note={kept.note}
              onWrite={(note) => {
                noted.current = lab.kept.annotate(kept.id, { note });
              }}
            />
          )}
          <CopyButton data-testid="copy-result-link" onCopy={copy}>
            Copy the link with the result
          </CopyButton>
          {result !== null && (
            <CopyField ref={shown} data-testid="result-url" aria-label="Link with the result" value={link + result} />
          )}
        </>
      )}
      <details className="small">
        <summary data-testid="files">Files: the experiment{measured ? ', a report, data, a card' : ''}</summary>
        <div className="dialog-buttons above-8">
          {children}
          {saving(kinds)}
        </div>
        {measured && (
          <>
            <p className="above-8">A card has the curves, what may be concluded, the note and the lab’s address.</p>
            <div className="dialog-buttons above-8">
              <CopyButton data-testid="copy-card" onCopy={copyAsCard}>
                Copy the card
              </CopyButton>
              {saving(CARDS)}
            </div>
          </>
        )}
        <Refusal problem={refusal} />
      </details>
    </>
  );
}
