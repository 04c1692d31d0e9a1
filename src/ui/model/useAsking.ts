import { useLabState } from './useLab';

/** True while the lab asks its question: nothing has run, and no run was sent but the recording of the question. */
export const useAsking = (): boolean =>
  useLabState(({ running, sent }) => running === null && (sent === null || sent.from === 'recording'));
