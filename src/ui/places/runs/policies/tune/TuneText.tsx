/** A language model is taught a text: which one and what, the loss while it learns, and the model that came out. */

import { useId } from 'react';
import { useStore } from 'zustand';
import { findModel, MODELS } from '../../../../../experiment/models';
import type { TuneSettings } from '../../../../../experiment/tuning';
import type { TuningDesk, TuningState } from '../../../../../store/desk/tuning';
import { Button } from '../../../../kit/Button';
import { Choice } from '../../../../kit/Choice';
import { Refusal } from '../../../../kit/Fields';
import { FileButton } from '../../../../kit/FileButton';
import { formatCount, formatDecimals, plural } from '../../../../kit/format';
import { NumberField } from '../../../../kit/NumberField';
import { useArrived } from '../../../../kit/part';
import { PlotPlace } from '../../../../kit/plot/PlotPlace';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { useLab, useLabState } from '../../../../model/useLab';
import { Tuned } from './Tuned';
import './tune.css';

export function TuneText() {
  const desk = useArrived(useLab().tuning);
  return desk === null ? null : <Loaded desk={desk} />;
}

/** Value of the choice while it is a folder that was opened here. */
const FOLDER = 'folder';

interface Setting {
  readonly key: keyof TuneSettings;
  readonly label: string;
  readonly help: string;
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
}

const SETTINGS: readonly Setting[] = [
  { key: 'updates', label: 'Updates', help: 'Steps of the optimiser.', min: 1, max: 100_000, integer: true },
  { key: 'batch', label: 'Pieces in a step', help: 'Pieces of text.', min: 1, max: 256, integer: true },
  {
    key: 'length',
    label: 'Tokens of a piece',
    help: 'Longer texts are cut into pieces.',
    min: 2,
    max: 8192,
    integer: true,
  },
  { key: 'learningRate', label: 'Learning rate', help: 'The size of a step.', min: 1e-8, max: 1 },
  {
    key: 'rank',
    label: 'Rank of an adapter',
    help: '0: all weights learn. Above: they stay, and small matrices beside them learn (LoRA).',
    min: 0,
    max: 256,
    integer: true,
  },
  { key: 'heldOut', label: 'Held out', help: 'Share of the pieces that are only tested.', min: 0, max: 0.9 },
];

function Loaded({ desk }: { desk: TuningDesk }) {
  const state = useStore(desk.store);
  const { base, texts, settings, phase, planned, learned, problem } = state;
  const now = useLabState(({ edited }) => edited.policy.model);
  const own = [now, base.id].flatMap((id) => findModel(id ?? '') ?? []);
  const models = new Map([...MODELS, ...own].map(({ id, title }) => [id, title]));
  const isBusy = phase === 'tuning' || phase === 'stopping';
  const ids = useId();
  return (
    <>
      <p>
        A model of the Llama family learns to go on with your texts. All is read here and sent nowhere; what comes out
        is kept in this browser, and policies can begin from it.
      </p>
      <div className="row padded">
        <Choice
          place="line inline fit"
          label="Model"
          testId="tune-model"
          disabled={isBusy}
          value={base.id ?? FOLDER}
          options={[...models, ...(base.id === null ? [[FOLDER, base.title] as const] : [])]}
          onChoose={(id) => desk.choose(id)}
        />
        <FileButton
          words="A folder…"
          testId="tune-folder"
          disabled={isBusy}
          folder
          onChoose={(files) => void desk.open(files)}
        />
      </div>
      <div className="row padded">
        <FileButton
          words="Choose a text"
          testId="tune-texts"
          disabled={isBusy}
          accept=".txt,.md,.jsonl,.json,text/plain"
          onChoose={([file]) => desk.read(file)}
        />
        <span data-testid="tune-chosen">{texts === null ? 'None is chosen.' : texts.name}</span>
      </div>
      <p className="small soft">
        A plain text, with lines of <code>&lt;|endoftext|&gt;</code> between its documents; or JSONL: a line is{' '}
        <code>{'{"text"}'}</code>, <code>{'{"prompt", "completion"}'}</code> or <code>{'{"messages"}'}</code>, which may
        call tools. Prompts, what a user says and what a tool answers are read and not learned.
      </p>
      <div className="tune-settings cards padded">
        {SETTINGS.map(({ key, label, help, min, max, integer = false }) => (
          <div key={key}>
            <label className="block" htmlFor={`${ids}-${key}`}>
              {label}
            </label>
            <NumberField
              id={`${ids}-${key}`}
              testId={`tune-${key}`}
              label={label}
              value={settings[key]}
              disabled={isBusy}
              describedBy={`${ids}-${key}-help`}
              {...{ min, max, integer }}
              onChange={(value) => desk.set({ [key]: value })}
            />
            <p className="small soft" id={`${ids}-${key}-help`}>
              {help}
            </p>
          </div>
        ))}
      </div>
      <div aria-live="polite" data-testid="tune-planned">
        {phase === 'reading' && <p>Reading the model and the text.</p>}
        {planned !== null && (
          <>
            <p>{piecesIn(planned)}</p>
            <p className={`small ${planned.memory.isLacking ? 'alarm' : 'soft'}`}>{planned.memory.text}</p>
          </>
        )}
      </div>
      <div className="row padded">
        <Button
          className="button-primary"
          data-testid="tune-begin"
          disabled={isBusy || planned === null || planned.memory.isLacking}
          onClick={() => void desk.begin()}
        >
          Teach it
        </Button>
        {texts === null && <span className="small soft">Choose a text first.</span>}
        {isBusy && (
          <>
            <Button data-testid="tune-stop" disabled={phase === 'stopping'} onClick={() => desk.stop()}>
              Stop and keep
            </Button>
            <Button data-testid="tune-discard" onClick={() => desk.discard()}>
              Stop and discard
            </Button>
            <span className="small soft">
              update {formatCount(learned.length)} of {formatCount(settings.updates)}
            </span>
          </>
        )}
      </div>
      <Refusal problem={problem} className="aside" data-testid="tune-problem" />
      {learned.length > 0 && <TuneCurve state={state} />}
      <Tuned desk={desk} />
    </>
  );
}

function piecesIn({ learned, examined, cut }: NonNullable<ReturnType<TuningDesk['store']['getState']>['planned']>) {
  const held = examined === 0 ? 'none is held out' : `${formatCount(examined)} held out`;
  const begun = cut === 0 ? '' : ` ${formatCount(cut)} go on with a text whose beginning they do not have.`;
  return `${plural(learned, 'piece')} of text to learn from, ${held}.${begun}`;
}

/** Rows of the table, about: each is a mean over so many updates. */
const ROWS = 10;

const nats = (value: number): string => `${formatDecimals(value, 3)} nats`;
const meanOf = (losses: readonly number[]): number => losses.reduce((sum, loss) => sum + loss, 0) / losses.length;

/** Loss while a model learns a text: of the pieces of each update, and of those that are held out. */
function TuneCurve({ state }: { state: TuningState }) {
  const { learned, examined, settings } = state;
  const most = Math.max(...[...learned, ...examined].map(({ loss }) => loss));
  const every = Math.max(1, Math.ceil(learned.length / ROWS));
  const rows = Array.from({ length: Math.ceil(learned.length / every) }, (_, i) =>
    learned.slice(i * every, (i + 1) * every),
  );
  const heldAt = (update: number): string => {
    const last = examined.findLast((one) => one.update <= update);
    return last === undefined ? '–' : formatDecimals(last.loss, 3);
  };
  return (
    <section aria-label="Loss" data-testid="tune-curve">
      <h4>Loss, nats a token</h4>
      <PlotPlace
        height={220}
        plot={{
          title: 'Loss while it learns',
          description: 'In numbers in the table below.',
          room: 96,
          across: {
            domain: [0, settings.updates],
            ticks: [0, settings.updates],
            name: 'updates',
            write: formatCount,
            words: (at) => `update ${formatCount(at)}`,
          },
          up: { domain: [0, most], ticks: [0, most], write: (value) => formatDecimals(value, 1) },
          series: [
            {
              ...{ id: 'learned', name: 'learned', kind: 'mean', colour: 'var(--arm-1)', label: '' },
              points: learned.map(({ update, loss }) => ({ at: update, value: loss })),
            },
            {
              ...{ id: 'examined', name: 'held out', kind: 'mean', colour: 'var(--arm-2)', label: '', dash: '6 3' },
              points: examined.map(({ update, loss }) => ({ at: update, value: loss })),
              ...{ isJoined: true, hasDots: true },
            },
          ],
          format: nats,
        }}
      />
      <details>
        <summary>As a table</summary>
        <Scrolling label="Loss while it learns">
          <Table caption="Loss, nats a token" columns={['Updates', 'Learned, mean', 'Held out']}>
            {rows.map((points) => {
              const [first, last] = [points[0]?.update ?? 0, points.at(-1)?.update ?? 0];
              return (
                <Row
                  key={first}
                  head={`${formatCount(first)} to ${formatCount(last)}`}
                  cells={[formatDecimals(meanOf(points.map(({ loss }) => loss)), 3), heldAt(last)]}
                />
              );
            })}
          </Table>
        </Scrolling>
      </details>
    </section>
  );
}
