/** The world of the policies, its task, and those of its settings that have an effect at present. */

import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { EnvironmentDefinition } from '../../../environments/environment';
import { definitionFor, environments } from '../../../environments/registry';
import { holdsTasksOut, usualExamination } from '../../../experiment/examination';
import { textOf } from '../../../experiment/ownWorld';
import type { SettingValue } from '../../../experiment/settings/setting';
import { chooseOneFile, shippedTitles, spokenTitles } from '../../../store/desk/oneFileWorlds';
import { Button } from '../../kit/Button';
import { Choice, type Option } from '../../kit/Choice';
import { SettingControl } from '../../model/settings/SettingControl';
import { settingsOfWorld, useFound } from '../../model/settings/search';
import { useHidden } from '../../model/useHidden';
import { useLab, useLabState } from '../../model/useLab';
import { DecodingLine } from '../../model/worlds/about/DecodingLine';
import { EditWorld } from '../../model/worlds/about/EditWorld';

export function WorldSettings() {
  const lab = useLab();
  const { id, settings } = useLabState((state) => state.edited.environment);
  const found = useFound();
  const definition = definitionFor(id, settings);
  if (definition === undefined) return null;
  const shown = settingsOfWorld({ id, settings }).filter((setting) => found === null || found(setting));
  if (found !== null && shown.length === 0) return null;
  const change = (key: string, value: SettingValue) => {
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, environment: { id, settings: { ...settings, [key]: value } } });
  };
  return (
    <section className="panel" aria-labelledby="world-settings">
      <div className="row row-close tall">
        <h3 id="world-settings">World: {definition.title}</h3>
        <WorldChoice />
        {textOf(settings) !== undefined && <EditWorld />}
        <p className="small soft panel-note">During a run, a changed world needs a restart; you are asked first.</p>
      </div>
      {found === null && (
        <div className="world-about stack close padded">
          <p>{definition.summary}</p>
          <DecodingLine environment={{ id, settings }} />
          <HeldOut definition={definition} />
        </div>
      )}
      <div className="controls cards">
        {shown.map((setting) => (
          <SettingControl
            key={setting.path}
            setting={setting}
            value={settings[setting.key] ?? setting.default}
            onChange={(value) => change(setting.key, value)}
          />
        ))}
      </div>
    </section>
  );
}

/** Settings with which worlds set tasks aside. */
const SETS_ASIDE = /^(?:\w+-)?(?:heldOut|holdOut)$/;

/** Note beside the world's settings: if success is also measured on tasks that training never draws. */
function HeldOut({ definition }: { definition: EnvironmentDefinition }) {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  const holds = holdsTasksOut(edited.environment);
  const { every } = edited.evaluation;
  if (holds === null) return null;
  if (holds && every === 0) {
    const usual = usualExamination(edited);
    return (
      <p className="small" data-testid="held-out">
        Some tasks are never trained on, but no policy is tested on them.{' '}
        <Button
          className="button-quiet small"
          data-testid="examine"
          onClick={() => lab.editor.edit({ ...lab.store.getState().edited, evaluation: usual })}
        >
          Test every {usual.every} updates
        </Button>
      </p>
    );
  }
  const setting = definition.settings.find(({ key }) => SETS_ASIDE.test(key));
  return (
    <p className="small soft" data-testid="held-out">
      {holds
        ? `Some tasks are never trained on; every ${every} updates the policies are tested on them.`
        : `Every task is trained on, and success is of those.${setting === undefined ? '' : ` “${setting.label}” keeps some for testing.`}`}
    </p>
  );
}

const LISTED: readonly Option[] = Object.values(environments).map(({ id, title }) => [id, title]);

/**
 * Choice of the world that the arms train in, among the lab's, those in one file, and those that the person keeps. Arms and
 * hyperparameters stay as they were; the world chosen begins with its default settings.
 */
function WorldChoice() {
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
