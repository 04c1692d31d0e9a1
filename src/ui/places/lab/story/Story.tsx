/**
 * The story in the middle: the question in a few sentences, what came of it in their place, and one button, which gives way to
 * how far the run is. None of it moves the boards below.
 */

import { estimateSeconds } from '../../../../experiment/duration';
import type { Experiment } from '../../../../experiment/experiment';
import { findShipped } from '../../../../experiment/shippedPolicies';
import { Button } from '../../../kit/Button';
import { formatCount, plural } from '../../../kit/format';
import { part } from '../../../kit/part';
import { worldOf } from '../../../model/environment';
import { durationWords, shorterRun } from '../../../model/experimentWords';
import { goTo, placeLink } from '../../../model/place';
import { showStatus } from '../../../model/run/Status';
import { beginTour } from '../../../model/tourStore';
import { useHidden } from '../../../model/useHidden';
import { useLab, useLabState } from '../../../model/useLab';
import { presetOf, WhatToExpect } from './WhatToExpect';
import './story.css';

const RunProgress = part('The progress', () => import('./RunProgress'), 'RunProgress');

const FinishedRun = part('What came of the run', () => import('./FinishedRun'), 'FinishedRun');
const Memory = part('What it takes', () => import('./Memory'), 'Memory', <span className="small soft">Weighing</span>);

export function Story({ experiment }: { experiment: Experiment }) {
  const isRun = useLabState((state) => state.running !== null);
  const world = worldOf(experiment.environment);
  const preset = presetOf(experiment);
  const seconds = world === null ? null : estimateSeconds(experiment, world.environment);
  return (
    <section className="story stack top" aria-labelledby="question">
      <h2 id="question">{experiment.title}</h2>
      <div className="story-text">
        {/* It keeps its room, so that the boards stay where they are. */}
        <div className="story-question stack top start">
          {preset?.experiment.title === experiment.title && <p>{preset.claim}</p>}
          <p>
            Unmask trains tiny agents in this tab. You choose what they learn from: their actions by reward (policy),
            the world’s answers (observations) by prediction with weight λ, or nothing (masked).
          </p>
        </div>
        {isRun && <FinishedRun />}
        <div className="high story-act row pair">
          {isRun ? <RunProgress estimate={seconds} /> : <Begin seconds={seconds} />}
          {!isRun && experiment.policy.model !== 'noise' && <Memory experiment={experiment} />}
        </div>
      </div>
    </section>
  );
}

function Begin({ seconds }: { seconds: number | null }) {
  const lab = useLab();
  const updates = useLabState((state) => state.edited.updates);
  const problems = useLabState((state) => state.problems);
  return (
    <>
      <Button
        className="button-primary first-run-button"
        data-testid="run-first"
        disabled={problems.length > 0}
        onClick={() => {
          lab.editor.run();
          // On a phone, how it stands is out of sight.
          setTimeout(showStatus);
        }}
      >
        Run {plural(updates, 'update')}
        {seconds === null ? '' : `, ${durationWords(seconds)}`}
      </Button>
      {seconds !== null && <Shorter seconds={seconds} />}
    </>
  );
}

/** First steps below the boards before a run: ways to go, and what to make of it. */
export function FirstSteps({ experiment }: { experiment: Experiment }) {
  const policiesHidden = useHidden('policies');
  const lessonsHidden = useHidden('lessons');
  return (
    <div className="first-steps row row-close baseline">
      <div className="small row row-close baseline">
        <Button className="button-quiet" data-testid="take-tour" onClick={beginTour}>
          Tour
        </Button>
        {!lessonsHidden && (
          <a className="button button-quiet" href={placeLink('lessons')}>
            Lessons
          </a>
        )}
        {!policiesHidden && findShipped(experiment.environment.id, 'trained') !== undefined && (
          <Button className="button-quiet" data-testid="watch-trained" onClick={() => goTo('policies', 'watch')}>
            Watch a trained agent
          </Button>
        )}
      </div>
      <WhatToExpect experiment={experiment} />
    </div>
  );
}

/** Seconds above which a shorter run is offered, and about as long as it should be. */
const [LONG, SHORT] = [8 * 60, 4 * 60];

/** Offer of a shorter run, where the whole one would take more than eight minutes on two processor cores. */
function Shorter({ seconds }: { seconds: number }) {
  const { editor } = useLab();
  const edited = useLabState((state) => state.edited);
  const updates = shorterRun(edited.updates, SHORT / seconds);
  if (seconds < LONG || updates >= edited.updates) return null;
  return (
    <Button className="button-quiet small" data-testid="shorter" onClick={() => editor.edit({ ...edited, updates })}>
      Only {formatCount(updates)}, {durationWords((seconds * updates) / edited.updates)}
    </Button>
  );
}
