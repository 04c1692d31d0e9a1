/** The world's own settings, for the episodes here and for the experiment. */
import { environmentSettings } from '../../../../experiment/settings/environmentSettings';
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { SettingControl } from '../../../model/settings/SettingControl';
import { useWorldDesk } from './useWorldDesk';

export function DraftSettings({ desk }: { desk: WorldDesk }) {
  const known = useWorldDesk(desk, (state) => state.report?.settings);
  const values = useWorldDesk(desk, (state) => state.settings);
  const shown = environmentSettings({ settings: known ?? [] });
  if (shown.length === 0) return null;
  return (
    <details open>
      <summary>Its settings</summary>
      <div className="controls cards">
        {shown.map((setting) => (
          <SettingControl
            key={setting.path}
            setting={setting}
            value={values[setting.key] ?? setting.default}
            onChange={(value) => desk.set(setting.key, value)}
          />
        ))}
      </div>
    </details>
  );
}
