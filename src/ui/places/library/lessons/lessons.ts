/** The lessons in their order. A new one is a file, a name in titles.ts and a line here. */
import { bug } from './bug';
import { clip } from './clip';
import { failing } from './failing';
import { forgotten } from './forgotten';
import { groups } from './groups';
import { hacked } from './hacked';
import type { Lesson } from './lesson';
import { mask } from './mask';
import { predicting } from './predicting';
import { lessonTitles } from './titles';

export const LESSONS: readonly Lesson[] = [mask, forgotten, bug, groups, clip, predicting, hacked, failing].map(
  (lesson) => ({ ...lesson, title: lessonTitles[lesson.id] }),
);

export const findLesson = (id: string): Lesson | undefined => LESSONS.find((lesson) => lesson.id === id);
