import type { PlaceId } from '../place';

/** The parts of the page below the first screen, in order, and the first screen itself. An id is also a deep link: `#why`. */
export const GROUPS = {
  arms: { title: 'Arms', about: '' },
  why: { title: 'Why', about: 'What a policy expects of its world, what it learns from, and how training fails.' },
  belief: { title: 'How sure', about: 'What the seeds can carry, and how this run compares with others.' },
  training: { title: 'Training', about: 'How the training itself is doing, update by update.' },
  settings: { title: 'Settings', about: 'What is asked of the arms, and in which world.' },
} as const;

export type GroupId = keyof typeof GROUPS;

export const GROUP_IDS = Object.keys(GROUPS) as GroupId[];

/** The groups that places of the page are. */
export const GROUP_AT: Partial<Record<PlaceId, GroupId>> = {
  why: 'why',
  sure: 'belief',
  training: 'training',
  settings: 'settings',
};
