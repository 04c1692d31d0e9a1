/** The environment of an experiment; null until the sandbox of a world of one's own has been loaded. */
import { useEffect, useMemo, useState } from 'react';
import type { Environment } from '../environments/environment';
import { areWorldsOpen, openWorlds } from '../environments/own/own';
import { findEnvironment } from '../environments/registry';
import type { Experiment } from '../experiment/experiment';
import { isOfOwnWorld } from '../experiment/ownWorld';

export function useMadeEnvironment(place: Experiment['environment']): Environment | null {
  const waits = isOfOwnWorld(place) && !areWorldsOpen();
  const [, setOpened] = useState(false);
  useEffect(() => {
    let current = true;
    if (!waits) return;
    openWorlds().then(
      () => current && setOpened(true),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [waits]);
  return useMemo(() => (waits ? null : (findEnvironment(place.id)?.create(place.settings) ?? null)), [waits, place]);
}
