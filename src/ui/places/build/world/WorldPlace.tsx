/**
 * The place where a world is written: its file on one side, on the other an episode in it, played by hand, at random or by its
 * expert; below, what the checks say. Nothing of it runs in the page itself.
 */

import { type DragEvent, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { textOf } from '../../../../experiment/ownWorld';
import { environmentSettings } from '../../../../experiment/settings/environmentSettings';
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { titleIn } from '../../../../store/desk/worldDrafts';
import { programElsewhere } from '../../../../store/desk/worldHost';
import { Button } from '../../../kit/Button';
import { CodeEditor, type CodeMark } from '../../../kit/code/CodeEditor';
import { Refusal } from '../../../kit/Fields';
import { formatPercent } from '../../../kit/format';
import { useArrived } from '../../../kit/part';
import { worldName } from '../../../model/experimentWords';
import { SettingControl } from '../../../model/settings/SettingControl';
import { useLab, useLabState } from '../../../model/useLab';
import { OPTIONAL, REFERENCE } from './contract';
import { worldLanguage } from './javascript';
import { marksOf } from './marks';
import { Play } from './Play';
import { useWorldDesk } from './useWorldDesk';
import { trainOn, WorldHead } from './WorldHead';
import './world-place.css';

export function WorldPlace() {
  const desk = useArrived(useLab().worldDesk);
  return desk === null ? <main className="loading soft">Loading the editor of worlds.</main> : <Loaded desk={desk} />;
}

function Loaded({ desk }: { desk: WorldDesk }) {
  const { worlds } = useLab();
  const problem = useStore(worlds.store, (state) => state.problem);
  useEffect(() => {
    desk.open();
    return () => desk.close();
  }, [desk]);
  // A file dropped anywhere is opened, also over the text, which would take it in where the pointer is.
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (file === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void worlds.read(file).then((found) => found !== null && desk.take(found.text, found.name));
  };
  return (
    <main
      className="workshop column apart"
      data-testid="place-world"
      onDragOver={(event) => event.preventDefault()}
      onDropCapture={drop}
    >
      <Refusal problem={problem} />
      <WorldHead desk={desk} />
      <Elsewhere desk={desk} />
      <div className="split workshop-body">
        <section className="column shrinks" aria-label="The world’s file">
          <Writing desk={desk} />
          <Checks desk={desk} />
          <Reference />
        </section>
        <section className="column shrinks" aria-label="An episode in it">
          <Playing desk={desk} />
        </section>
      </div>
    </main>
  );
}

/** The experiment's world, where it is another than what is written: its program can be opened, a built-in one has none. */
function Elsewhere({ desk }: { desk: WorldDesk }) {
  const edited = useLabState((state) => state.edited);
  const program = useWorldDesk(desk, (state) => programElsewhere(state, edited));
  if (textOf(edited.environment.settings) === undefined) {
    return (
      <p className="small" data-testid="world-built-in">
        The experiment on screen plays in {worldName(edited.environment)}, which is built into the lab and has no file.
        The file here is another world; “Begin from…” has more examples.
      </p>
    );
  }
  if (program === null) return null;
  return (
    <p className="small row near" data-testid="world-elsewhere">
      The experiment on screen runs {titleIn(program) || edited.title}, not this text.{' '}
      <Button className="small" onClick={() => void desk.beginFromExperiment()}>
        Open its program
      </Button>
    </p>
  );
}

/** The episode that is played. While the file is broken, it is the last one from before, and cannot be played on. */
function Playing({ desk }: { desk: WorldDesk }) {
  const isBroken = useWorldDesk(desk, ({ mistake, played }) => mistake !== null && played !== null);
  return (
    <>
      <div inert={isBroken} className={`${isBroken ? ' workshop-stale' : ''} column shrinks`}>
        <Play desk={desk} />
        <DraftSettings desk={desk} />
      </div>
      <p className="small soft" role="status">
        {isBroken && 'Played before the mistake; it can be played again once the file is mended.'}
      </p>
    </>
  );
}

/** Folded list of the contract: all that a world's file may say or is given, by name. */
function Reference() {
  return (
    <details className="workshop-reference small">
      <summary className="bold">What a file says, and what it is given</summary>
      {REFERENCE.map(([title, entries]) => (
        <section key={title} aria-label={title}>
          <h4 className="above-8">{title}</h4>
          <dl className="stack close">
            {entries.map(([name, type, help]) => (
              <div key={name}>
                <dt className="mono">
                  {name} <span className="soft">{OPTIONAL.has(name) ? `${type}, may be left out` : type}</span>
                </dt>
                <dd className="soft">{help}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </details>
  );
}

function Writing({ desk }: { desk: WorldDesk }) {
  const text = useWorldDesk(desk, (state) => state.text);
  const mistake = useWorldDesk(desk, (state) => state.mistake);
  const report = useWorldDesk(desk, (state) => (state.checking === null ? state.report : null));
  const marks = useMemo((): CodeMark[] => marksOf(text, mistake, report), [text, mistake, report]);
  return (
    <>
      <CodeEditor
        label="The world’s file. Tab leaves it; Control and Space complete a name; Control and Enter train on it."
        testId="world-text"
        className="workshop-text"
        language={worldLanguage}
        text={text}
        marks={marks}
        onText={(next) => desk.write(next)}
        onApply={() => trainOn(desk)}
      />
      <p className="small tall" role="status" data-testid="world-said">
        {mistake === null ? (
          <span className="soft">
            Tab leaves the text · Ctrl + Space completes · hover explains · Ctrl + Enter trains
          </span>
        ) : (
          <span className="alarm">{mistake.text}</span>
        )}
      </p>
    </>
  );
}

const MARKS = new Map([
  [true, ['✓', 'holds', 'good']],
  [false, ['✗', 'does not hold', 'alarm']],
  [null, ['–', 'for your information', 'soft']],
] as const);

const lined = (text: string, line: number): string =>
  text.includes(`line ${line})`) || line === 0 ? text : `Line ${line}: ${text}`;

/** Results of the checks of a world, each with its line where it has one. */
function Checks({ desk }: { desk: WorldDesk }) {
  const report = useWorldDesk(desk, (state) => state.report);
  const checking = useWorldDesk(desk, (state) => state.checking);
  const mistake = useWorldDesk(desk, (state) => state.mistake);
  const failed = report?.checks.filter(({ ok }) => ok === false).length ?? 0;
  const verdict =
    failed === 0 ? 'nothing is wrong with it' : failed === 1 ? 'one does not hold' : `${failed} do not hold`;
  const said =
    checking === null
      ? verdict
      : checking === 0
        ? 'not looked at yet'
        : `a thousand random episodes, ${formatPercent(checking)}`;
  return (
    <div data-testid="world-checks" data-checking={checking !== null}>
      <h3>
        Is it well made?{' '}
        <span className="soft small plain" role="status">
          {said}
        </span>
      </h3>
      <ul className={`stack close above-4 ${checking === null ? '' : 'soft'}`}>
        {report?.checks.map(({ id, ok, text, line }) => {
          const [mark, words, kind] = MARKS.get(ok) ?? ['', '', ''];
          return (
            <li key={`${id} ${text}`} data-check={id} data-ok={ok} className={`check ${kind}`}>
              <span aria-hidden="true">{mark}</span>
              <span>
                <span className="hidden-text">{words}: </span>
                {text === mistake?.text
                  ? 'The checks ended at the mistake that is told below the text.'
                  : lined(text, line)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The world's own settings, for the episodes here and for the experiment. */
function DraftSettings({ desk }: { desk: WorldDesk }) {
  const known = useWorldDesk(desk, (state) => state.report?.settings);
  const values = useWorldDesk(desk, (state) => state.settings);
  const shown = environmentSettings({ settings: known ?? [] });
  if (shown.length === 0) return null;
  return (
    <details open>
      <summary>Its settings</summary>
      <div className="controls cards">
        {shown.map((setting) => (
          <SettingControl
            key={setting.path}
            setting={setting}
            value={values[setting.key] ?? setting.default}
            onChange={(value) => desk.set(setting.key, value)}
          />
        ))}
      </div>
    </details>
  );
}
