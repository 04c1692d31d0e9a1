/** The middle of the lab: the story of the run, or of the one that was sent, and its boards below. */
import { Suspense } from 'react';
import { part } from '../../../kit/part';
import { useLabState } from '../../../model/useLab';
import { FirstSteps, Story } from './Story';

const Boards = part('The boards', () => import('../../../model/worlds/Boards').then((module) => module.Boards));
const Challenge = part('The challenge', () => import('./Challenge').then((module) => module.Challenge));
const SentRun = part('The run that was sent', () => import('./SentRun').then((module) => module.SentRun));

export function Worlds() {
  const isAsked = useLabState((state) => state.challenge.length > 0);
  const isRun = useLabState((state) => state.running !== null);
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const sent = useLabState((state) => (state.running === null && state.sent?.from !== 'recording' ? state.sent : null));
  return (
    <>
      {sent === null ? (
        <Story experiment={experiment} />
      ) : (
        <Suspense fallback={<section className="story stack top" />}>
          <SentRun sent={sent} />
        </Suspense>
      )}
      {isAsked && (
        <Suspense fallback={null}>
          <Challenge />
        </Suspense>
      )}
      <Suspense fallback={<section className="worlds worlds-coming" />}>
        <Boards experiment={sent === null ? experiment : sent.experiment} />
      </Suspense>
      {!isRun && sent === null && <FirstSteps experiment={experiment} />}
    </>
  );
}
