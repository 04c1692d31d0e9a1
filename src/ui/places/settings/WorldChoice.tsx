/**
 * The world that the arms train in: the lab's, those in one file, and those that the person keeps. Another one keeps arms and
 * hyperparameters and begins with its default settings.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { definitionFor, environments } from '../../../environments/registry';
import { textOf } from '../../../experiment/ownWorld';
import { chooseOneFile, shippedTitles, spokenTitles } from '../../../store/desk/oneFileWorlds';
import { Choice, type Option } from '../../kit/Choice';
import { useHidden } from '../../model/useHidden';
import { useLab, useLabState } from '../../model/useLab';

const LISTED: readonly Option[] = Object.values(environments).map(({ id, title }) => [id, title]);

export function WorldChoice() {
  const lab = useLab();
  const { id, settings } = useLabState((state) => state.edited.environment);
  const kept = useStore(lab.worlds.store, (state) => state.kept);
  const [shipped, setShipped] = useState<readonly Option[]>([]);
  const [spoken, setSpoken] = useState<readonly Option[]>([]);
  useEffect(() => void lab.worlds.refresh(), [lab]);
  useEffect(() => {
    void shippedTitles().then((all) => setShipped(all.map(([name, title]) => [`@${name}`, title])));
    void spokenTitles().then(setSpoken);
  }, []);
  if (useHidden('experiments')) return null;
  const own: readonly Option[] = kept.map(({ name, text }) => [text, name]);
  const chosen = id === 'own' ? (textOf(settings) ?? id) : id;
  // The experiment's world may have come from the editor or with a link, and be on no shelf.
  const isElsewhere = [...LISTED, ...shipped, ...spoken, ...own].every(([world]) => world !== chosen);
  const present: readonly Option[] = isElsewhere ? [[chosen, definitionFor(id, settings)?.title ?? id]] : [];
  return (
    <Choice
      aria-label="World"
      className="field world-choice fit"
      testId="world-choice"
      value={chosen}
      options={[
        ...LISTED,
        { title: 'In one file', options: shipped },
        { title: 'In English, for a language model', options: spoken },
        { title: 'Your own', options: [...present, ...own] },
      ]}
      onChoose={(world) => {
        if (LISTED.some(([listed]) => listed === world)) lab.editor.chooseWorld(world);
        else void chooseOneFile(lab, world);
      }}
    />
  );
}
