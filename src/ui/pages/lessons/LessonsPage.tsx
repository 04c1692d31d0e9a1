/** The lessons: a list of them, or one with the lab in it. */
import { useEffect, useRef } from 'react';
import { excerpt } from '../../../foundation/errors';
import { placeLink } from '../../place';
import { LessonView } from './LessonView';
import { findLesson, LESSONS } from './lessons';
import './lessons.css';

/** `name`: of the lesson, empty for the list. */
export function LessonsPage({ name }: { name: string }) {
  const lesson = findLesson(name);
  const main = useRef<HTMLElement>(null);
  const before = useRef(name);
  useEffect(() => {
    if (before.current === name) return;
    before.current = name;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [name]);
  return (
    <main ref={main} className="lessons" tabIndex={-1} data-testid={lesson === undefined ? 'lessons' : 'lesson'}>
      {lesson === undefined ? <LessonList unknown={name} /> : <LessonView key={lesson.id} lesson={lesson} />}
    </main>
  );
}

function LessonList({ unknown }: { unknown: string }) {
  return (
    <>
      <h2>Lessons</h2>
      {unknown !== '' && <p role="status">There is no lesson called “{excerpt(unknown, 40)}”. These are all:</p>}
      <p className="lesson-text">
        Six short ones, each with the lab in it. Every one ends with a question that you answer by running something:
        the lab judges the answer by the numbers of your own run.
      </p>
      <ol className="lesson-list">
        {LESSONS.map(({ id, title, minutes, question }, index) => (
          <li key={id}>
            <a href={placeLink('lessons', id)} data-testid={`lesson-${id}`}>
              {index + 1}. {title}
            </a>
            <span className="small soft">
              {minutes} minutes. {question.ask}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
