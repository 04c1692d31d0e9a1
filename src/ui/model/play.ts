/**
 * Episodes of a world, for boards. The lab's own worlds are played here and at once; one that somebody wrote is played
 * in a Worker, and until it answers there is nothing: null.
 */
import { useEffect, useId, useMemo, useState } from 'react';
import type { Environment, Exhibit, PlayedTokens } from '../../environments/environment';
import { exhibit, scenesOf } from '../../environments/exhibit';
import type { Scene } from '../../environments/scene';

const exhibits = new WeakMap<Environment, Exhibit>();

/** The exhibit, where it is known or can be played here. */
function exhibitNow(environment: Environment | null): Exhibit | null {
  if (environment === null) return null;
  const known = exhibits.get(environment);
  if (known !== undefined || environment.elsewhere !== undefined) return known ?? null;
  const played = exhibit(environment);
  exhibits.set(environment, played);
  return played;
}

/** An environment's exhibit. */
export function useExhibit(environment: Environment | null): Exhibit | null {
  const [, setArrived] = useState<Environment | null>(null);
  useEffect(() => {
    if (environment === null || exhibitNow(environment) !== null) return;
    let isWanted = true;
    void environment.elsewhere?.exhibit().then((played) => {
      exhibits.set(environment, played);
      if (isWanted) setArrived(environment);
    });
    return () => {
      isWanted = false;
    };
  }, [environment]);
  return exhibitNow(environment);
}

/** Scenes of an episode for one board, the caller; its newest episode counts. One that has them is not played. */
export function useScenes(
  environment: Environment,
  episode: PlayedTokens & { readonly scenes?: readonly Scene[] },
): readonly Scene[] | null {
  const board = useId();
  const { scenes: drawnAlready } = episode;
  const elsewhere = drawnAlready === undefined ? environment.elsewhere : undefined;
  const here = useMemo(
    () => drawnAlready ?? (environment.elsewhere === undefined ? scenesOf(environment, episode) : null),
    [environment, episode, drawnAlready],
  );
  const [drawn, setDrawn] = useState<{ elsewhere: unknown; episode: unknown; scenes: readonly Scene[] } | null>(null);
  useEffect(() => {
    let isWanted = true;
    void elsewhere?.scenes(board, episode).then((scenes) => {
      if (isWanted && scenes !== null) setDrawn({ elsewhere, episode, scenes });
    });
    return () => {
      isWanted = false;
    };
  }, [elsewhere, episode, board]);
  return here ?? (drawn?.elsewhere === elsewhere && drawn?.episode === episode ? drawn.scenes : null);
}
