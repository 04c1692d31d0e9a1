/** What the population is made of. While a run has progress, most of these wait for a restart, and say why. */
import { type Experiment, experimentSettings } from '../../experiment/experiment';
import { type PlacedSetting, readSetting, writeSetting } from '../../experiment/settings/setting';
import { useLab, useLabState } from '../useLab';
import { SettingControl } from './SettingControl';
import { TitleField } from './TitleField';

/** Headings over the tables that a setting's path begins with; '' has the settings in none. */
const PARTS: readonly { readonly title: string; readonly tables: readonly string[] }[] = [
  { title: 'Run', tables: ['', 'batch'] },
  { title: 'Policy', tables: ['policy'] },
  { title: 'Evaluation', tables: ['evaluation'] },
  { title: 'Warm start', tables: ['warmStart'] },
];

const tableOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

export function ExperimentSettings() {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  const edit = (change: (experiment: Experiment) => Experiment) => lab.editor.edit(change(lab.store.getState().edited));
  return (
    <section className="panel" aria-labelledby="experiment-settings">
      <div className="panel-head">
        <h3 id="experiment-settings">Experiment</h3>
        <TitleField />
        <p className="small soft panel-note">
          During a run, all but the number of updates need a restart; you are asked first.
        </p>
      </div>
      {PARTS.map(({ title, tables }) => (
        <section key={title} className="experiment-part" aria-label={title}>
          <h4>{title}</h4>
          <div className="controls">
            {experimentSettings
              .filter(isRead(edited))
              .filter(({ path }) => tables.includes(tableOf(path)))
              .map((setting) => (
                <SettingControl
                  key={setting.path}
                  setting={setting}
                  value={readSetting(edited, setting.path) ?? setting.default}
                  onChange={(value) => edit((experiment) => writeSetting(experiment, setting.path, value))}
                />
              ))}
          </div>
        </section>
      ))}
    </section>
  );
}

/** All but the scale where the initialisation brings its own. */
const isRead =
  ({ policy }: Experiment) =>
  ({ path }: PlacedSetting): boolean =>
    path !== 'policy.initialScale' || policy.initialisation === 'normal';
