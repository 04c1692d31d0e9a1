/** The arms side by side on the same task. Before the first run, the question stands here instead. */
import type { Experiment } from '../../experiment/experiment';
import { armColours } from '../armColour';
import { useWorld } from '../environment';
import { useLabState, usePlayback } from '../useLab';
import { ArmWorld } from './ArmWorld';
import { FirstRun } from './FirstRun';
import { PlaybackControls } from './PlaybackControls';
import './worlds.css';
import '../tokens/strip.css';

export function Worlds() {
  const running = useLabState((state) => state.running);
  return running === null ? <FirstRun /> : <Running running={running} />;
}

function Running({ running }: { running: Experiment }) {
  const world = useWorld(running.environment);
  const update = usePlayback((state) => Object.values(state.episodes)[0]?.update ?? null);
  const colours = armColours(running.arms);
  if (world === null) return null;
  return (
    <section className="worlds" aria-label="Episodes">
      <div className="worlds-head">
        <h2>
          Episodes
          <span className="soft worlds-update">{update === null ? '' : `, update ${update}`}</span>
        </h2>
        <PlaybackControls />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen the arms scroll sideways */}
      {/* biome-ignore lint/a11y/useSemanticElements: this is no group of form controls */}
      <div className="worlds-arms" tabIndex={0} role="group" aria-label="Arms side by side">
        {running.arms.map((arm) => {
          const colour = colours.get(arm.id);
          if (colour === undefined) return null;
          return <ArmWorld key={arm.id} arm={arm} colour={colour} world={world} />;
        })}
      </div>
    </section>
  );
}
