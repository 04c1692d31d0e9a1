/** The experiment’s recorded run, where there is one, to go through before anything is trained. */
import { Suspense, useEffect, useState } from 'react';
import { apart } from '../../../foundation/apart';
import type { RecordedEpisodes } from '../../../store/recorded/recordedEpisodes';
import { hasRecordedEpisodes, recordedEpisodesOf } from '../../../store/recorded/recordings';
import { part } from '../../kit/part';
import { useLab, useLabState } from '../../useLab';

const RecordedRun = part('The recorded run', () => import('./RecordedRun').then((module) => module.RecordedRun));

const scrub = apart(() => import('../../../store/recorded/scrub'));

/** A place as high as it will be. */
const coming = <section className="recorded recorded-coming" />;

export function FirstSight({ recorded }: { recorded: RecordedEpisodes | 'coming' }) {
  if (recorded === 'coming') return coming;
  return (
    <Suspense fallback={coming}>
      <RecordedRun recorded={recorded} />
    </Suspense>
  );
}

/** Episodes of the recording behind the charts; null where there are none. */
export function useRecorded(): RecordedEpisodes | 'coming' | null {
  const lab = useLab();
  const sent = useLabState((state) => state.sent);
  const preset = useLabState(({ edited }) => (hasRecordedEpisodes(edited) ? edited.preset : null));
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
  const there = sent?.from === 'recording' && known?.preset === preset ? known.recorded : 'coming';
  const recorded = preset === null ? null : there;
  // Its curves begin where it begins, and are not seen whole before.
  const until = recorded === null ? Number.POSITIVE_INFINITY : 0;
  useEffect(() => {
    if (sent === null || (recorded !== null && recorded !== 'coming')) return;
    scrub().then(
      ({ drawRecordedUntil }) => drawRecordedUntil(lab.store, until),
      () => {},
    );
  }, [lab, recorded, sent, until]);
  return recorded;
}
