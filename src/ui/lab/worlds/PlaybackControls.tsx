/** The shared clock of the episodes: play or pause them, step through the turns, and choose which episode is shown. */

import { Choice } from '../../kit/Choice';
import { seedNames } from '../../seedNames';
import { useLab, useLabState, usePlayback } from '../../useLab';
import { DreamControls } from '../../why/dream/DreamControls';
import { usePlaybackClock } from './usePlaybackClock';
import './playback.css';

export function PlaybackControls() {
  const { playback } = useLab();
  usePlaybackClock();
  const motion = usePlayback((state) => state.motion);
  const playing = usePlayback((state) => state.playing);
  const turn = usePlayback((state) => Math.min(state.turn, state.turns));
  const turns = usePlayback((state) => state.turns);
  const shown = usePlayback((state) => state.episodes);
  const isNewest = useLabState((state) => state.episodes === shown);
  return (
    <div className="playback">
      <button type="button" className="button playback-button" onClick={() => playback.setPlaying(!playing)}>
        {motion ? (playing ? 'Pause replay' : 'Play replay') : playing ? 'Freeze' : 'Follow'}
      </button>
      <label className="playback-turn">
        <span className="small soft">turn {turn}</span>
        <input
          type="range"
          aria-label="Turn shown"
          min={0}
          max={Math.max(1, turns)}
          step={1}
          value={turn}
          onChange={({ target }) => playback.seek(Number(target.value))}
        />
      </label>
      <button
        type="button"
        className="button"
        disabled={isNewest}
        title={isNewest ? 'Already on screen' : undefined}
        onClick={() => playback.takeNewest()}
      >
        Latest
      </button>
      <WatchControls />
      <DreamControls />
    </div>
  );
}

function WatchControls() {
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
        onChoose={(task) => runner.watch(seed, Number(task))}
      />
      <Choice
        place="small soft"
        label="Seed"
        value={String(seed)}
        options={seedNames(seeds).map((name) => [name, name])}
        onChoose={(name) => runner.watch(Number(name), group)}
      />
    </>
  );
}
