/** Names of the lessons, in their order; their texts are loaded with their page. */
export const lessonTitles = {
  mask: 'What a mask is',
  forgotten: 'Forgetting the mask',
  bug: 'Find the bug in this mask',
  groups: 'Groups and advantages',
  clip: 'Ratio and clip',
  predicting: 'What predicting the world buys',
  hacked: 'How a reward is hacked, twice',
  failing: 'How training fails',
} as const;

export type LessonId = keyof typeof lessonTitles;

export const LESSON_IDS = Object.keys(lessonTitles) as LessonId[];
