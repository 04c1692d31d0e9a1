/** Turns the shared clock of the episodes; where motion is unwelcome, or the inspector lies over them, it stands still. */
import { useEffect } from 'react';
import { useReducedMotion } from '../../kit/useWide';
import { useInspector } from '../useInspector';
import { useLab, usePlayback } from '../useLab';

/** Milliseconds a turn is shown. */
const TURN = 240;

/** isRunning: false where something else says what is on the boards. */
export function usePlaybackClock(isRunning = true): void {
  const { playback } = useLab();
  const reduced = useReducedMotion();
  const motion = usePlayback((state) => state.motion);
  const playing = usePlayback((state) => state.playing);
  const isCovered = useInspector((state) => state.isOpen);
  useEffect(() => playback.setMotion(!reduced), [reduced, playback]);
  useEffect(() => {
    if (!isRunning || !playing || !motion || isCovered) return;
    const timer = setInterval(() => playback.advance(), TURN);
    return () => clearInterval(timer);
  }, [isRunning, playing, motion, isCovered, playback]);
}
