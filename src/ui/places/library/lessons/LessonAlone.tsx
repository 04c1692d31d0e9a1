/** One lesson in another page’s frame. */
import { excerpt } from '../../../../foundation/errors';
import { LessonView } from './LessonView';
import { findLesson, LESSONS } from './lessons';
import '../../../kit/styles/reading.css';
import './lessons.css';

export function LessonAlone({ name }: { name: string }) {
  const lesson = findLesson(name);
  return (
    <div className="reading lessons-alone" data-testid="lesson">
      {lesson === undefined ? (
        <p data-testid="embed-unknown">
          There is no lesson called “{excerpt(name, 40)}”. There are: {LESSONS.map(({ id }) => id).join(', ')}.
        </p>
      ) : (
        <LessonView lesson={lesson} isGuest />
      )}
    </div>
  );
}
