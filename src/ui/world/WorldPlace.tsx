/**
 * The place where a world is written: its file on one side, on the other an episode in it, played by hand, at random or by its
 * expert; below, what the checks say. Nothing of it runs in the page itself.
 */
import { useEffect, useMemo } from 'react';
import type { WorldDesk } from '../../store/worldDesk';
import { CodeEditor, type Mark } from '../kit/code/CodeEditor';
import { useArrived } from '../kit/part';
import { useLab } from '../useLab';
import { Checks } from './Checks';
import { REFERENCE } from './contract';
import { DraftSettings } from './DraftSettings';
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
  useEffect(() => {
    desk.open();
    return () => desk.close();
  }, [desk]);
  return (
    <main className="workshop" data-testid="world-place">
      <WorldHead desk={desk} />
      <div className="workshop-body">
        <section className="workshop-writing" aria-label="The world’s file">
          <Writing desk={desk} />
          <Checks desk={desk} />
          <Reference />
        </section>
        <section className="workshop-playing" aria-label="An episode in it">
          <Play desk={desk} />
          <DraftSettings desk={desk} />
        </section>
      </div>
    </main>
  );
}

/** The contract, for those who have an idea and no names yet. */
function Reference() {
  return (
    <details className="workshop-reference small">
      <summary>What a file says, and what it is given</summary>
      {REFERENCE.map(([title, entries]) => (
        <section key={title} aria-label={title}>
          <h4>{title}</h4>
          <dl>
            {entries.map(([name, type, help]) => (
              <div key={name}>
                <dt>
                  {name} <span className="soft">{type}</span>
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
  const marks = useMemo((): Mark[] => marksOf(text, mistake, report), [text, mistake, report]);
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
        onApply={() => desk.isPlayable() && trainOn(desk)}
      />
      <p className="workshop-said small" role="status" data-testid="world-said">
        {mistake === null ? (
          <span className="soft">
            Tab leaves the text · Ctrl + Space completes · hover explains · Ctrl + Enter trains
          </span>
        ) : (
          <span className="workshop-mistake">{mistake.text}</span>
        )}
      </p>
    </>
  );
}
