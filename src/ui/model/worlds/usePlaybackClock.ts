/** Turns the shared clock of the episodes; where motion is unwelcome, or the inspector lies over them, it stands still. */
import { useEffect, useState } from 'react';
import { useInspector } from '../useInspector';
import { useLab, usePlayback } from '../useLab';

/** Milliseconds a turn is shown. */
const TURN = 240;

function useReducedMotion(): boolean {
  const [reduced, setReduced] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-reduced-motion: reduce)');
    const follow = () => setReduced(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return reduced;
}

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
