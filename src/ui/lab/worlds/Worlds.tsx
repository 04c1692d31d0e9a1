/** The place of the worlds: the arms at work, or before the first run the question, or the run that was sent. */
import { Suspense } from 'react';
import { part } from '../../kit/part';
import { useLabState } from '../../useLab';
import { FirstRun } from './FirstRun';

const RunningWorlds = part('The worlds', () => import('./RunningWorlds').then((module) => module.RunningWorlds));
const SentRun = part('The run that was sent', () => import('./SentRun').then((module) => module.SentRun));

export function Worlds() {
  const running = useLabState((state) => state.running);
  const sent = useLabState((state) => state.sent);
  if (running === null && (sent === null || sent.from === 'recording')) return <FirstRun />;
  return (
    <Suspense fallback={<section className={running === null ? 'first-run' : 'worlds'} />}>
      {running !== null ? <RunningWorlds running={running} /> : sent !== null && <SentRun sent={sent} />}
    </Suspense>
  );
}
