/** The world of the policies, its task, and those of its settings that have an effect at present. */
import { definitionFor } from '../../../environments/registry';
import { textOf } from '../../../experiment/ownWorld';
import type { SettingValue } from '../../../experiment/settings/setting';
import { SettingControl } from '../../model/settings/SettingControl';
import { settingsOfWorld, useFound } from '../../model/settings/search';
import { useLab, useLabState } from '../../model/useLab';
import { DecodingLine } from '../../model/worlds/about/DecodingLine';
import { EditWorld } from '../../model/worlds/about/EditWorld';
import { HeldOut } from './HeldOut';
import { WorldChoice } from './WorldChoice';

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
      <div className="panel-head row tall">
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
