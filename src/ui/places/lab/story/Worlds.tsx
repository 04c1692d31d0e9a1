/** The middle of the lab: the story of the run, or of the one that was sent, and its boards below. */
import { part } from '../../../kit/part';
import { useLessonBefore } from '../../../model/lessonBefore';
import { placeLink } from '../../../model/place';
import { useLabState } from '../../../model/useLab';
import { FirstSteps, Story } from './Story';
import { WhatToExpect } from './WhatToExpect';

const Boards = part(
  'The boards',
  () => import('../../../model/worlds/Boards'),
  'Boards',
  <section className="worlds worlds-coming" />,
);
const Challenge = part('The challenge', () => import('./Challenge'), 'Challenge');
const SentRun = part(
  'The run that was sent',
  () => import('./SentRun'),
  'SentRun',
  <section className="story stack top" />,
);

export function Worlds() {
  const lesson = useLessonBefore((state) => state.lesson);
  const isAsked = useLabState((state) => state.challenge.length > 0);
  const isRun = useLabState((state) => state.running !== null);
  // While it trains nothing may be below the boards: all of it is in one window.
  const hasEnded = useLabState(({ phase }) => phase === 'finished' || phase === 'restored');
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const sent = useLabState((state) => (state.running === null && state.sent?.from !== 'recording' ? state.sent : null));
  return (
    <>
      {lesson !== null && (
        <p className="small padded-4">
          <a href={placeLink('lessons', lesson.id)} data-testid="back-to-lesson">
            Back to the lesson: {lesson.title}
          </a>
        </p>
      )}
      {sent === null ? <Story experiment={experiment} /> : <SentRun sent={sent} />}
      {isAsked && <Challenge />}
      <Boards experiment={sent === null ? experiment : sent.experiment} />
      {!isRun && sent === null && <FirstSteps experiment={experiment} />}
      {hasEnded && <WhatToExpect experiment={experiment} />}
    </>
  );
}
