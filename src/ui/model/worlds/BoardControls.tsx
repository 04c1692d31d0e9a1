/** Heading of the boards and their clock: play or pause, go through it, and choose which episode is shown. */

import { type AnimationEvent, useState } from 'react';
import type { Arm } from '../../../experiment/experiment';
import { type BoardEpisodes, FAR, isPlayed } from '../../../store/look/playback';
import { Button } from '../../kit/Button';
import { Caption } from '../../kit/Caption';
import { Choice } from '../../kit/Choice';
import { formatCount } from '../../kit/format';
import { DreamControls } from '../dream/DreamControls';
import { seedNames } from '../seedNames';
import { Chip, LEARNING_NAMES, LEARNING_WORDS, LEARNINGS, type TokenLearning } from '../tokens/Chip';
import { learningsOf } from '../tokens/learning';
import { useLab, useLabState, usePlayback } from '../useLab';
import { exampleWords } from './about/exampleWords';
import type { BoardReplay } from './boards/standIns';
import './playback.css';

interface Props {
  readonly replay: BoardReplay | null;
  readonly without: string | null;
  /** Arms whose boards are drawn. */
  readonly arms: readonly Arm[];
}

export function BoardControls({ replay, without, arms }: Props) {
  const episodes = usePlayback((state) => state.episodes);
  const isLive = Object.values(episodes).some(isPlayed);
  return (
    <div className="playback stack close">
      <div className="playback-head between">
        <Heading episodes={episodes} replay={replay} without={without} />
        {replay?.hasOthers && (
          <Button className="button-quiet small" onClick={replay.nextTask}>
            Another task
          </Button>
        )}
      </div>
      {replay !== null && without !== null && <p className="small soft">{without}</p>}
      {replay === null ? <Clock isLive={isLive} /> : <ReplayClock replay={replay} />}
      <div className="playback-choices line">{isLive ? <Choices arms={arms} /> : <Legend episodes={episodes} />}</div>
    </div>
  );
}

interface HeadingProps {
  readonly episodes: BoardEpisodes;
  readonly replay: BoardReplay | null;
  readonly without: string | null;
}

function Heading({ episodes, replay, without }: HeadingProps) {
  const source = useLabState(({ running, edited }) => (running ?? edited).warmStart.source);
  const [shown] = Object.values(episodes);
  const last = useLabState((state) => state.update) - 1;
  const ahead = shown !== undefined && last > shown.update + FAR ? `; the run is at ${formatCount(last)}` : '';
  const whom = source === 'expert' ? 'a scripted agent' : 'random play';
  const [name, rest] =
    replay !== null
      ? ['Recorded', replay.words]
      : without !== null
        ? [without, '']
        : shown?.imitated !== undefined
          ? [`Imitating ${whom}`, '']
          : shown?.from === 'example'
            ? ['Example', `a task ${exampleWords(shown)}`]
            : ['Episodes', shown === undefined ? '' : `update ${formatCount(shown.update)}${ahead}`];
  return (
    <h3 className="playback-heading one-line fine">
      {name}
      <span className="soft plain">{rest === '' ? '' : `: ${rest}`}</span>
    </h3>
  );
}

function Clock({ isLive }: { isLive: boolean }) {
  const { playback } = useLab();
  const motion = usePlayback((state) => state.motion);
  const playing = usePlayback((state) => state.playing);
  const turn = usePlayback((state) => Math.min(state.turn, state.turns));
  const turns = usePlayback((state) => state.turns);
  const shown = usePlayback((state) => state.episodes);
  const isNewest = useLabState((state) => state.episodes === shown);
  return (
    <div className="playback-clock line">
      <Button onClick={() => playback.setPlaying(!playing)}>
        {motion ? (playing ? 'Pause replay' : 'Play replay') : playing ? 'Freeze' : 'Follow'}
      </Button>
      <input
        type="range"
        aria-label="Turn shown"
        min={0}
        max={Math.max(1, turns)}
        step={1}
        value={turn}
        onChange={({ target }) => playback.seek(Number(target.value))}
      />
      <span className="small soft playback-turn">turn {turn}</span>
      {isLive && (
        <Button
          className="playback-latest"
          disabled={isNewest}
          title={isNewest ? 'Already on screen' : undefined}
          onClick={() => playback.takeNewest()}
        >
          Latest
        </Button>
      )}
    </div>
  );
}

function ReplayClock({ replay: { update, updates, isPlaying, toggle, seek } }: { replay: BoardReplay }) {
  const at = `update ${formatCount(update)} of ${formatCount(updates)}`;
  return (
    <div className="playback-clock line">
      <Button onClick={toggle}>{update >= updates ? 'Play again' : isPlaying ? 'Pause' : 'Play recording'}</Button>
      <input
        type="range"
        aria-label="Update of the recorded run"
        aria-valuetext={at}
        data-testid="recorded-update"
        min={0}
        max={updates}
        value={update}
        onChange={({ target }) => seek(Number(target.value))}
      />
      <span className="small soft playback-at unbroken">{at}</span>
    </div>
  );
}

/** Looks of a token, where they are met first. */
const LOOKS = [
  ['policy', `${LEARNING_NAMES.policy}: from reward`],
  ['predict', `${LEARNING_NAMES.predict}: from answers`],
  ['veiled', `${LEARNING_NAMES.veiled}: learns nothing`],
] as const;

const VEILED = 'learns nothing: it is masked, or all tries at its task were rewarded alike';

const IMITATED = [
  ['imitated', `${LEARNING_NAMES.imitated}: of demonstrations`],
  ['veiled', `${LEARNING_NAMES.veiled}: learns nothing`],
] as const;

/** True once a legend told it: it would only puzzle somebody who comes back to the boards. */
let isTold = false;
/** Seconds of its longest animation (playback.css). */
const TOLD = 3;

/**
 * Legend that tells once a visit, in five seconds, what a mask is: whole at first, then all is veiled, the reward's loss reaches some
 * tokens, and from others the mask lifts.
 */
function Legend({ episodes }: { episodes: BoardEpisodes }) {
  const imitates = Object.values(episodes).some(({ imitated }) => imitated !== undefined);
  const [tells, setTells] = useState(!isTold);
  // The browser animates from the beginning again what was hidden meanwhile.
  const end = ({ elapsedTime }: AnimationEvent): void => {
    isTold = elapsedTime === TOLD;
    if (isTold) setTells(false);
  };
  return (
    <div className={`legend ${imitates || !tells ? '' : 'legend-tells'}`} onAnimationEnd={end}>
      {(imitates ? IMITATED : LOOKS).map(([learning, words]) => (
        <Chip key={learning} learning={learning}>
          {words}
        </Chip>
      ))}
    </div>
  );
}

/** The legend of a run: the choices have its row. */
function Looks({ arms }: Pick<Props, 'arms'>) {
  const found = new Set<TokenLearning>(arms.flatMap(learningsOf));
  return (
    <Caption said="Legend" about="the legend">
      <ul className="legend-looks stack">
        {LEARNINGS.filter((learning) => found.has(learning)).map((learning) => (
          <li key={learning} className="facts">
            <Chip learning={learning}>{LEARNING_NAMES[learning]}</Chip>
            <span>{learning === 'veiled' ? VEILED : LEARNING_WORDS[learning]}</span>
          </li>
        ))}
      </ul>
      <p className="above-8">Bars below a board: how likely the arm thought each answer before it came.</p>
    </Caption>
  );
}

/** Choice among the run's episodes. */
function Choices({ arms }: Pick<Props, 'arms'>) {
  const { runner } = useLab();
  const { seed, group } = useLabState((state) => state.watched);
  const seeds = useLabState((state) => (state.running ?? state.edited).seeds);
  const groups = useLabState((state) => (state.running ?? state.edited).batch.groups);
  return (
    <>
      <Choice
        place="small soft"
        label="Task"
        value={String(group)}
        options={Array.from({ length: groups }, (_, task) => [String(task), String(task + 1)])}
        onChoose={(task) => runner.requests.watch(seed, Number(task))}
      />
      <Choice
        place="small soft"
        label="Seed"
        value={String(seed)}
        options={seedNames(seeds).map((name) => [name, name])}
        onChoose={(name) => runner.requests.watch(Number(name), group)}
      />
      <DreamControls />
      <Looks arms={arms} />
    </>
  );
}
