/** The world the policies live in, what it asks of them, and those of its settings that have an effect as it is. */
import { definitionFor } from '../../environments/registry';
import { textOf } from '../../experiment/ownWorld';
import { environmentSettings } from '../../experiment/settings/environmentSettings';
import type { SettingValue } from '../../experiment/settings/setting';
import { WorldOpener } from '../lab/choose/Openers';
import { DecodingLine } from '../lab/worlds/DecodingLine';
import { EditWorld } from '../pages/world/EditWorld';
import { useLab, useLabState } from '../useLab';
import { HeldOut } from './HeldOut';
import { SettingControl } from './SettingControl';

export function WorldSettings() {
  const lab = useLab();
  const { id, settings } = useLabState((state) => state.edited.environment);
  const definition = definitionFor(id, settings);
  if (definition === undefined) return null;
  const idle = new Set(
    definition.settings.filter(({ isRelevant }) => isRelevant?.(settings) === false).map(({ key }) => key),
  );
  const change = (key: string, value: SettingValue) => {
    const { edited } = lab.store.getState();
    lab.editor.edit({ ...edited, environment: { id, settings: { ...settings, [key]: value } } });
  };
  return (
    <section className="panel" aria-labelledby="world-settings">
      <div className="panel-head">
        <h3 id="world-settings">World: {definition.title}</h3>
        <WorldOpener className="button" testId="choose-other-world">
          Another world
        </WorldOpener>
        {textOf(settings) !== undefined && <EditWorld />}
        <p className="small soft panel-note">During a run, a changed world needs a restart; you are asked first.</p>
      </div>
      <div className="world-about">
        <p>{definition.summary}</p>
        <DecodingLine environment={{ id, settings }} />
        <HeldOut definition={definition} />
      </div>
      <div className="controls">
        {environmentSettings(definition)
          .filter(({ key }) => !idle.has(key))
          .map((setting) => (
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
