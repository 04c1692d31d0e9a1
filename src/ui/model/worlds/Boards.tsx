/** The arms side by side on the same task: episodes of the run, and a recording or an example until there are any. */

import { type CSSProperties, useState } from 'react';
import type { Arm, Experiment } from '../../../experiment/experiment';
import { inOrderOf } from '../../../store/edit/armOrder';
import type { LabState } from '../../../store/lab';
import { isPlayed } from '../../../store/look/playback';
import { part } from '../../kit/part';
import { usePhone } from '../../kit/useWide';
import { armColours } from '../armColour';
import { type ExperimentWorld, useWorld } from '../environment';
import { useExhibit } from '../play';
import { useLabState, usePlayback, usePreferences } from '../useLab';
import { ArmsShown, mostWorlds, shownArms } from './ArmsShown';
import { ArmWorld } from './ArmWorld';
import { AboutWorld } from './about/AboutWorld';
import { DecodingLine } from './about/DecodingLine';
import { ToolBars } from './about/ToolBars';
import { BoardControls } from './BoardControls';
import { useStandIns } from './boards/standIns';
import { Imitation } from './Imitation';
import { columnsOf, type Room, roomOf } from './room';
import { usePlaybackClock } from './usePlaybackClock';
import './worlds.css';
import '../tokens/strip.css';

const Underlines = part('The legend', () => import('./Underlines'), 'Underlines');

export function Boards({ experiment }: { experiment: Experiment }) {
  const world = useWorld(experiment.environment);
  return world === null ? null : <InWorld world={world} experiment={experiment} />;
}

function InWorld({ world, experiment }: { world: ExperimentWorld; experiment: Experiment }) {
  const order = useLabState((state) => state.edited.arms);
  const isRun = useLabState((state) => state.running !== null);
  const [chosen, choose] = useState<readonly string[]>([]);
  const arms = inOrderOf(experiment.arms, order);
  const exhibit = useExhibit(world.environment);
  const room = roomOf(exhibit);
  const isPhone = usePhone();
  const most = mostWorlds(isPhone && exhibit !== null, room);
  const shown = shownArms(arms, chosen, most);
  const drawn = arms.filter(({ id }) => shown.includes(id));
  const replay = useStandIns(world, experiment.arms);
  usePlaybackClock(replay === null);
  const imitates = usePlayback((state) => Object.values(state.episodes).some(({ imitated }) => imitated !== undefined));
  const isPlayedNow = usePlayback((state) => Object.values(state.episodes).some(isPlayed));
  const dreams = usePreferences((state) => state.dream !== 'none') && isPlayedNow;
  const without = useLabState(({ phase, episodes }) => (Object.keys(episodes).length > 0 ? null : wordsWithout(phase)));
  const isBook = exhibit?.kinds.includes('story') === true;
  const testId = without !== null ? 'no-episodes' : replay !== null ? 'recorded-run' : 'boards';
  return (
    <section className="worlds" aria-label="Episodes" data-testid={testId}>
      <BoardControls replay={replay === 'coming' ? null : replay} without={without} arms={drawn} />
      {arms.length > most && <ArmsShown arms={arms} shown={shown} most={most} onChoose={choose} />}
      <Row world={world} room={room} all={experiment.arms} arms={drawn} />
      {dreams && (
        <p className="small soft under-8">
          “Answers predicted” is from before the update; the predictions shown are from after it.
        </p>
      )}
      {isBook && <Underlines arms={drawn} />}
      {isRun && (
        <div className="worlds-measured">
          {imitates ? <Imitation arms={experiment.arms} /> : <ToolBars running={experiment} arms={drawn} />}
        </div>
      )}
      {isRun ? (
        <DecodingLine environment={experiment.environment} />
      ) : (
        <AboutWorld world={world} place={experiment.environment} />
      )}
    </section>
  );
}

interface RowProps {
  readonly world: ExperimentWorld;
  readonly room: Room;
  readonly all: readonly Arm[];
  readonly arms: readonly Arm[];
}

function Row({ world, room, all, arms }: RowProps) {
  const colours = armColours(all);
  return (
    // biome-ignore lint/a11y/useSemanticElements: this is no group of form controls
    <div
      className="worlds-arms"
      data-room={room}
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

/** Reason why there will be no episodes; null while they may come. */
function wordsWithout(phase: LabState['phase']): string | null {
  if (phase === 'restored') return 'Episodes are not kept: run again to watch.';
  if (phase === 'finished') return 'Episodes are not kept: train on, or let a saved policy play.';
  return phase === 'failed' ? 'Training stopped before the first episode.' : null;
}

function layout(arms: number, room: Room): CSSProperties {
  const { columns, narrowest } = columnsOf(arms, room);
  return { '--columns': columns, '--narrowest': `${narrowest}px` } as CSSProperties;
}
