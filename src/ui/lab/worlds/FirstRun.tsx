/** Before the first run: the question in a few sentences, the picture it is drawn with, and one button. */

import { Suspense, useMemo } from 'react';
import { trainedMembers } from '../../../experiment/arm/policyFiles';
import { estimateSeconds } from '../../../experiment/duration';
import type { Experiment } from '../../../experiment/experiment';
import { textOf } from '../../../experiment/ownWorld';
import { findPreset, type Preset } from '../../../experiment/presets/presets';
import { findShipped } from '../../../experiment/shippedPolicies';
import { DRAWN } from '../../../foundation/roles';
import { type World, worldOf } from '../../environment';
import { formatCount, plural } from '../../kit/format';
import { part } from '../../kit/part';
import { Chip, type Learning } from '../../kit/tokens/Chip';
import { goTo, placeLink } from '../../place';
import { useExhibit } from '../../play';
import { useHidden } from '../../useHidden';
import { useLab, useLabState } from '../../useLab';
import { durationWords, shorterRun } from '../choose/experimentWords';
import { ExperimentOpener } from '../choose/Openers';
import { showStatus } from '../header/Status';
import { beginTour } from '../tour/tourStore';
import { exampleTokens, type Stretch } from './exampleTokens';
import { FirstSight, useRecorded } from './FirstSight';
import { FirstWorld } from './FirstWorld';
import './firstRun.css';

const Known = part('What was recorded', () => import('./Known').then((module) => module.Known));
const RECORDED = <strong>What was recorded, with policies 32 wide:</strong>;

/** The preset, as long as the world is its own: what it claims is about that. */
function presetOf({ preset, environment }: Experiment): Preset | undefined {
  const found = findPreset(preset);
  const was = found?.experiment.environment;
  const isSame = was?.id === environment.id && textOf(was.settings) === textOf(environment.settings);
  return isSame ? found : undefined;
}

export function FirstRun() {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  const problems = useLabState((state) => state.problems);
  const policiesHidden = useHidden('policies');
  const beliefHidden = useHidden('belief');
  const lessonsHidden = useHidden('lessons');
  const preset = presetOf(edited);
  const world = worldOf(edited.environment);
  const members = trainedMembers(edited);
  const recorded = useRecorded();
  const seconds = world === null ? null : estimateSeconds(edited, world.environment);
  return (
    <section className={`first-run${recorded === null ? '' : ' first-run-recorded'}`} aria-labelledby="question">
      <h2 id="question">{edited.title}</h2>
      <div className="first-run-question">
        {preset !== undefined && <p>{preset.claim}</p>}
        <p>
          Usually the world’s answers are masked: nothing is learned from them. Here you choose what learns: press a
          cell of the table, then Run.
        </p>
        <div className="first-run-buttons">
          <button
            type="button"
            className="button button-primary first-run-button"
            data-testid="run-first"
            disabled={problems.length > 0}
            onClick={() => {
              lab.editor.run();
              // All that is here gives way to the run; on a phone, how it stands is out of sight.
              setTimeout(showStatus);
            }}
          >
            Run {plural(edited.updates, 'update')}
            {seconds === null ? '' : `, ${durationWords(seconds)}`}
          </button>
          {seconds !== null && <Shorter seconds={seconds} />}
        </div>
        {recorded !== null && <FirstSight recorded={recorded} />}
        {world !== null && recorded === null && <Examples world={world} />}
        <div className="first-run-links small">
          <ExperimentOpener className="button button-quiet" testId="other-experiments">
            Other experiments
          </ExperimentOpener>
          <button type="button" className="button button-quiet" data-testid="take-tour" onClick={beginTour}>
            Tour
          </button>
          {!lessonsHidden && (
            <a className="button button-quiet" href={placeLink('lessons')} data-testid="to-lessons">
              Lessons
            </a>
          )}
          {!policiesHidden && findShipped(edited.environment.id, 'trained') !== undefined && (
            <button
              type="button"
              className="button button-quiet"
              data-testid="watch-trained"
              onClick={() => goTo('policies', 'watch')}
            >
              Watch a trained agent
            </button>
          )}
        </div>
        <details className="small soft">
          <summary>What to expect, and what not to conclude</summary>
          {preset !== undefined && <p>{preset.expectation}</p>}
          {preset?.finding !== undefined && !beliefHidden && (
            <p>
              <a href={placeLink('findings', preset.finding)} data-testid="to-finding">
                Asked with more seeds, under Findings
              </a>
            </p>
          )}
          <Suspense fallback={<p>{RECORDED}</p>}>
            <Known experiment={edited} presetOf={findPreset} label={RECORDED}>
              {!beliefHidden && (
                <button type="button" className="button button-quiet small" onClick={() => goTo('sure')}>
                  More under “How sure”
                </button>
              )}
            </Known>
          </Suspense>
          <p>
            A run trains {plural(members, 'small policy', 'small policies')} ({plural(members / edited.seeds, 'arm')} ×{' '}
            {plural(edited.seeds, 'seed')}) in this tab; nothing leaves your machine.
          </p>
          <Recorded />
        </details>
      </div>
      {world !== null && recorded === null && <FirstWorld world={world} place={edited.environment} />}
    </section>
  );
}

/** Seconds above which a shorter run is offered, and about as long as it should be. */
const [LONG, SHORT] = [8 * 60, 4 * 60];

/** Way to a shorter run, where it would take long on two processor cores. */
function Shorter({ seconds }: { seconds: number }) {
  const { editor } = useLab();
  const edited = useLabState((state) => state.edited);
  const updates = shorterRun(edited.updates, SHORT / seconds);
  if (seconds < LONG || updates >= edited.updates) return null;
  return (
    <button
      type="button"
      className="button button-quiet small"
      data-testid="shorter"
      onClick={() => editor.edit({ ...edited, updates })}
    >
      Only {formatCount(updates)}, {durationWords((seconds * updates) / edited.updates)}
    </button>
  );
}

/** What the dotted lines of the charts are. */
function Recorded() {
  const sent = useLabState((state) => state.sent);
  if (sent?.from !== 'recording') return null;
  const seeds = sent.result.arms[0]?.area.length ?? 0;
  return (
    <p className="small soft" data-testid="recorded">
      Dotted in the charts: what came of it when it was recorded, {plural(seeds, 'seed')} on {sent.result.device}. Your
      run is judged against it.
    </p>
  );
}

/** What the world's first task looks like to the loss, in both ways. */
function Examples({ world: { environment, words } }: { world: World }) {
  const shown = useExhibit(environment);
  const example = useMemo(() => (shown === null ? [] : exampleTokens(shown, words)), [shown, words]);
  if (example.length === 0) return null;
  return (
    <div className="first-run-examples">
      <Example example={example} observation="veiled" words="masked: only actions learn" />
      <Example example={example} observation="predict" words="unmasked: the answers are predicted" />
    </div>
  );
}

interface ExampleProps {
  readonly example: readonly Stretch[];
  readonly observation: Learning;
  readonly words: string;
}

function Example({ example, observation, words }: ExampleProps) {
  const learning = (role: Stretch['role']): Learning =>
    DRAWN.includes(role) ? 'policy' : role === 'observation' ? observation : 'veiled';
  return (
    <p className="first-run-example">
      <span aria-hidden="true" className="first-run-chips">
        {example.map(({ role, words: text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stretch is its place
          <Chip key={at} learning={learning(role)}>
            {text}
          </Chip>
        ))}
      </span>
      <span className="small soft">{words}</span>
    </p>
  );
}
