/** Names of the files that a run leaves in, each another, so that one saved after the other takes no place. */
const ENDS = {
  experiment: '-experiment.json',
  report: '.html',
  png: '-card.png',
  svg: '-card.svg',
  csv: '.csv',
  json: '-data.json',
  jsonl: '-trajectories.jsonl',
} as const;

export type NamedFile = keyof typeof ENDS;

export const NAMED_FILES = Object.keys(ENDS) as NamedFile[];

export function fileName(preset: string, kind: NamedFile): string {
  return `unmask-${preset}${ENDS[kind]}`;
}
