/** Lesson from which one came to the lab; null where one came from elsewhere. */
import { create } from 'zustand';
import { here } from './place';

interface Known {
  readonly id: string;
  readonly title: string;
}

export const useLessonBefore = create<{ readonly lesson: Known | null }>(() => ({ lesson: null }));

/** Call when a lesson is left, and when the lab is: the lesson is remembered as long as the lab is shown. */
export function leave(lesson: Known | null): void {
  useLessonBefore.setState({ lesson: here() === 'lab' ? lesson : null });
}
