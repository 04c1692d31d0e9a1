import { useLabState } from './useLab';

/** True while the lab asks its question: nothing has run, and no run was sent but the recording of the question. */
export const useAsking = (): boolean =>
  useLabState(({ running, sent }) => running === null && (sent === null || sent.from === 'recording'));

/** True while Run reproduces a run that was sent: nothing has run, and nothing was edited since it came. */
export const useReproducing = (): boolean =>
  useLabState(
    ({ running, sent, edited }) =>
      running === null &&
      sent !== null &&
      sent.from !== 'recording' &&
      JSON.stringify(edited) === JSON.stringify(sent.experiment),
  );
