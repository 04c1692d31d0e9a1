/** The experiment’s recorded run, where there is one, to go through before anything is trained. */
import { Suspense, useEffect, useState } from 'react';
import { recordedEpisodesOf } from '../../../store/recorded';
import type { RecordedEpisodes } from '../../../store/recordedEpisodes';
import { part } from '../../kit/part';
import { useLabState } from '../../useLab';

const RecordedRun = part('The recorded run', () => import('./RecordedRun').then((module) => module.RecordedRun));

export function FirstSight({ recorded }: { recorded: RecordedEpisodes }) {
  return (
    <Suspense fallback={<section className="recorded" />}>
      <RecordedRun recorded={recorded} />
    </Suspense>
  );
}

/** Episodes of the recording behind the charts; null until they are there, or where there are none. */
export function useRecorded(): RecordedEpisodes | null {
  const preset = useLabState(({ sent, edited }) => (sent?.from === 'recording' ? edited.preset : null));
  const [known, setKnown] = useState<{ preset: string; recorded: RecordedEpisodes | null } | null>(null);
  useEffect(() => {
    let isWanted = preset !== null;
    if (preset === null) return;
    // Without them there is still the task: where they do not arrive, nothing is missing.
    const found = recordedEpisodesOf(preset).catch(() => null);
    void found.then((recorded) => isWanted && setKnown({ preset, recorded }));
    return () => {
      isWanted = false;
    };
  }, [preset]);
  return known !== null && known.preset === preset ? known.recorded : null;
}
