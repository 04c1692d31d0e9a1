/** The lessons: a list of them, or one with the lab in it. */
import { placeLink } from '../../../model/place';
import { ListedPage } from '../ListedPage';
import { LessonView } from './LessonView';
import { findLesson, LESSONS } from './lessons';
import './lessons.css';

/** `name`: of the lesson, empty for the list. */
export function LessonsPage({ name }: { name: string }) {
  const lesson = findLesson(name);
  return (
    <ListedPage
      kind="lesson"
      name={name}
      one={lesson === undefined ? null : <LessonView key={lesson.id} lesson={lesson} />}
      place="lessons"
      about="Each has the lab in it and ends with a question. You answer it by a run or by pointing at a token, and the lab judges the answer by its numbers."
    >
      <ol className="reading-list">
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
    </ListedPage>
  );
}
