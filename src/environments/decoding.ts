/**
 * Settings that environments share about malformed actions: whether they can be drawn at all (legal sets), and what follows
 * them. In every case the environment says `malformed` as a warning.
 */
import type { EnvironmentSetting, EnvironmentSettings } from './environment';

const DECODINGS = ['legal', 'free'] as const;
const MALFORMED = ['warning', 'end', 'penalty'] as const;

export interface Decoding {
  readonly free: boolean;
  readonly malformed: (typeof MALFORMED)[number];
  readonly penalty: number;
}

export const MALFORMED_WORD = 'malformed';

export const decodingSettings: readonly EnvironmentSetting[] = [
  {
    key: 'decoding',
    label: 'Decoding',
    help: 'Legal: only words that are actions can be drawn. Free: any word can, and the form has to be learned.',
    type: 'choice',
    default: 'legal',
    choices: DECODINGS,
  },
  {
    key: 'malformed',
    label: 'Malformed actions',
    help: 'With free decoding: a warning and a turn lost, the end of the episode, or reward lost each time.',
    type: 'choice',
    default: 'warning',
    choices: MALFORMED,
    isRelevant: ({ decoding }) => decoding === 'free',
  },
  {
    key: 'penalty',
    label: 'Penalty',
    help: 'Reward lost for each malformed action, where those cost reward.',
    type: 'number',
    default: 0.1,
    min: 0,
    max: 1,
    isRelevant: ({ decoding, malformed }) => decoding === 'free' && malformed === 'penalty',
  },
];

/** Reader of a world's settings by their keys: one that is not given has its default. */
export const readerOf =
  (declared: readonly EnvironmentSetting[], given: EnvironmentSettings) =>
  (key: string): EnvironmentSettings[string] | undefined =>
    given[key] ?? declared.find((setting) => setting.key === key)?.default;

export function readDecoding(settings: EnvironmentSettings): Decoding {
  const read = readerOf(decodingSettings, settings);
  const malformed = MALFORMED.find((choice) => choice === read('malformed')) ?? 'warning';
  return {
    free: read('decoding') === 'free',
    malformed,
    penalty: malformed === 'penalty' ? Number(read('penalty')) : 0,
  };
}
