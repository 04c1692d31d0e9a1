/** Worlds in one file: the person's own, kept in this browser, those that come with the lab, and the way to write another. */
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Environment } from '../../../environments/environment';
import type { Experiment } from '../../../experiment/experiment';
import { textOf } from '../../../experiment/ownWorld';
import { presets } from '../../../experiment/presets/presets';
import { chooseOneFile, describeWorlds, type OneFileWorld } from '../../../store/desk/oneFileWorlds';
import { isWritten } from '../../../store/desk/worldDrafts';
import { worldOf } from '../environment';
import { placeLink } from '../place';
import { useLab, useLabState } from '../useLab';
import { ChoiceButton } from './ChoiceButton';
import { sizeFacts } from './experimentWords';
import { Sheets } from './WorldPicture';

/** Names of the lab's own, as experiments have them: `@bandit`. */
const SHIPPED = [
  ...new Set(
    presets.flatMap(({ experiment: { environment } }) =>
      environment.id === 'own' ? [textOf(environment.settings) ?? ''] : [],
    ),
  ),
];

export function OneFileWorlds({ onClose }: { onClose: () => void }) {
  const { worlds } = useLab();
  const kept = useStore(worlds.store, (state) => state.kept);
  useEffect(() => void worlds.refresh(), [worlds]);
  const present = useLabState(({ edited }) => textOf(edited.environment.settings));
  // The experiment's world too, which came from the editor or with a link and may be on no shelf.
  const own = useMemo(() => {
    const texts = kept.map(({ text }) => text);
    const isElsewhere = present === undefined || present.startsWith('@') || texts.includes(present);
    return isElsewhere ? texts : [present, ...texts];
  }, [kept, present]);
  return (
    <>
      <section aria-label="Your own worlds">
        <h3>Your own</h3>
        <p className="chooser-note small soft">
          A world is one file of some forty lines.{' '}
          <a href={placeLink('world')} data-testid="write-world" onClick={onClose}>
            Write one, and play it as you write
          </a>
          {own.length === 0 ? '; what you keep on its shelf stands here.' : ''}
        </p>
        <Worlds texts={own} shelf={kept.map(({ text }) => text)} onClose={onClose} />
      </section>
      <section aria-label="Worlds in one file">
        <h3>In one file, to read and to change</h3>
        <Worlds texts={SHIPPED} shelf={[]} onClose={onClose} />
      </section>
    </>
  );
}

interface WorldsProps {
  readonly texts: readonly string[];
  /** Those of them that the person keeps. */
  readonly shelf: readonly string[];
  readonly onClose: () => void;
}

function Worlds({ texts, shelf, onClose }: WorldsProps) {
  const lab = useLab();
  const chosen = useLabState(({ edited }) => edited.environment);
  const present = textOf(chosen.settings);
  const [found, setFound] = useState<readonly OneFileWorld[]>([]);
  useEffect(() => {
    let isWanted = true;
    const show = (all: readonly OneFileWorld[]) => {
      if (isWanted) setFound(all);
    };
    void describeWorlds(texts).then(show);
    return () => {
      isWanted = false;
    };
  }, [texts]);
  if (texts.length > 0 && found.length === 0) return <p className="small soft">Reading them.</p>;
  return (
    <ul className="choices">
      {found.map(({ world, title, summary, environment }) => (
        <li key={world}>
          <ChoiceButton
            title={title}
            text={summary}
            facts={[
              ...(world.startsWith('@') ? [] : [shelf.includes(world) || isWritten(world) ? 'yours' : 'from the link']),
              ...sizesOf(isAlone(chosen) && present === world ? worldOf(chosen)?.environment : environment),
            ]}
            picture={<Sheets kinds={['drawing']} />}
            present={present === world ? 'on screen' : null}
            testId={`world-file-${world.startsWith('@') ? world.slice(1) : 'own'}`}
            onChoose={() => {
              void chooseOneFile(lab, world);
              onClose();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

/** In a mixture its size is that of all its worlds. */
const isAlone = ({ id }: Experiment['environment']): boolean => id === 'own';

/** Nothing of a world that cannot be made: it says why when it is chosen. */
const sizesOf = (environment: Environment | null | undefined): string[] =>
  environment == null ? [] : sizeFacts(environment);
