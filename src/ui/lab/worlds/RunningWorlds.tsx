/** The arms side by side on the same task, once there is a run. */

import { type CSSProperties, useRef, useState } from 'react';
import type { Arm, Experiment } from '../../../experiment/experiment';
import { inOrderOf } from '../../../store/edit/armOrder';
import type { LabState } from '../../../store/lab';
import { armColours } from '../../armColour';
import { type World, worldOf } from '../../environment';
import { formatCount } from '../../kit/format';
import { useHiddenEnds } from '../../kit/useHiddenEnds';
import { useExhibit } from '../../play';
import { useLabState, usePlayback } from '../../useLab';
import { ArmsShown, MOST_WORLDS, shownArms } from './ArmsShown';
import { ArmWorld } from './ArmWorld';
import { DecodingLine } from './DecodingLine';
import { FirstWorld } from './FirstWorld';
import { PlaybackControls } from './PlaybackControls';
import { columnsOf, type Room, roomOf } from './room';
import { ToolBars } from './ToolBars';
import './worlds.css';
import '../../kit/tokens/strip.css';

export function RunningWorlds({ running }: { running: Experiment }) {
  const world = worldOf(running.environment);
  const update = usePlayback((state) => Object.values(state.episodes)[0]?.update ?? null);
  const [chosen, choose] = useState<readonly string[]>([]);
  const order = useLabState((state) => state.edited.arms);
  const arms = inOrderOf(running.arms, order);
  const shown = shownArms(arms, chosen);
  const without = useLabState(({ phase, episodes }) => (Object.keys(episodes).length > 0 ? null : wordsWithout(phase)));
  if (world === null) return null;
  if (without !== null) {
    return (
      <section className="worlds" aria-label="Episodes" data-testid="no-episodes">
        <h2 className="hidden-text">Episodes</h2>
        <p className="worlds-without">{without}</p>
        <ToolBars running={running} arms={arms} />
        <FirstWorld world={world} place={running.environment} />
      </section>
    );
  }
  return (
    <section className="worlds" aria-label="Episodes">
      <div className="worlds-head">
        <h2>
          Episodes
          <span className="soft worlds-update">{update === null ? '' : `, update ${formatCount(update)}`}</span>
        </h2>
        <PlaybackControls />
      </div>
      {arms.length > MOST_WORLDS && <ArmsShown arms={arms} shown={shown} onChoose={choose} />}
      <Row world={world} running={running} arms={arms.filter(({ id }) => shown.includes(id))} />
      <ToolBars running={running} arms={arms.filter(({ id }) => shown.includes(id))} />
      <DecodingLine environment={running.environment} />
    </section>
  );
}

interface RowProps {
  readonly world: World;
  readonly running: Experiment;
  readonly arms: readonly Arm[];
}

function Row({ world, running, arms }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  const { right } = useHiddenEnds(row);
  const colours = armColours(running.arms);
  const room = roomOf(useExhibit(world.environment));
  return (
    // biome-ignore lint/a11y/useSemanticElements: this is no group of form controls
    <div
      ref={row}
      className="worlds-arms fading"
      // Not left: there the world that one looks at begins.
      data-right={right}
      data-room={room}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the arms scroll sideways
      tabIndex={0}
      role="group"
      aria-label="Arms side by side"
      style={layout(arms.length, room)}
    >
      {arms.map((arm) => {
        const colour = colours.get(arm.id);
        return colour === undefined ? null : <ArmWorld key={arm.id} arm={arm} colour={colour} world={world} />;
      })}
    </div>
  );
}

/** Why there will be no episodes; null while they may come. */
function wordsWithout(phase: LabState['phase']): string | null {
  if (phase === 'restored') return 'Episodes are not kept with a run: run again to watch the arms.';
  if (phase === 'finished') return 'Episodes are not kept with a run: train on, or let a saved policy play.';
  return phase === 'failed' ? 'Training stopped before the first episode.' : null;
}

function layout(arms: number, room: Room): CSSProperties {
  const { columns, narrowest } = columnsOf(arms, room);
  return { '--columns': columns, '--narrowest': `${narrowest}px` } as CSSProperties;
}
