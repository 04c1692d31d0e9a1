/** Settings of the population. While a run has progress, most of these wait for a restart, and say why. */

import { useId, useState } from 'react';
import type { Experiment } from '../../../experiment/experiment';
import { readSetting, writeSetting } from '../../../experiment/settings/setting';
import { SettingControl } from '../../model/settings/SettingControl';
import { settingsOfRun, useFound } from '../../model/settings/search';
import { useLab, useLabState } from '../../model/useLab';

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
  const found = useFound();
  const shown = settingsOfRun(edited.policy).filter((setting) => found === null || found(setting));
  const edit = (change: (experiment: Experiment) => Experiment) => lab.editor.edit(change(lab.store.getState().edited));
  if (shown.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="experiment-settings">
      <div className="row row-close tall">
        <h3 id="experiment-settings">Experiment</h3>
        <TitleField />
        <p className="small soft panel-note">
          During a run, all but the number of updates need a restart; you are asked first.
        </p>
      </div>
      {PARTS.map(({ title, tables }) => {
        const settings = shown.filter(({ path }) => tables.includes(tableOf(path)));
        return (
          settings.length > 0 && (
            <section key={title} className="experiment-part" aria-label={title}>
              <h4>{title}</h4>
              <div className="controls cards">
                {settings.map((setting) => (
                  <SettingControl
                    key={setting.path}
                    setting={setting}
                    value={readSetting(edited, setting.path) ?? setting.default}
                    onChange={(value) => edit((experiment) => writeSetting(experiment, setting.path, value))}
                  />
                ))}
              </div>
            </section>
          )
        );
      })}
    </section>
  );
}

const LONGEST = 120;

/** The experiment's title. Left empty it goes back to what it was: links, files and the page's head need a name to show. */
function TitleField() {
  const lab = useLab();
  const title = useLabState(({ edited }) => edited.title);
  /** Typed text while it is no title. */
  const [empty, setEmpty] = useState<string | null>(null);
  const problemId = useId();
  const type = (text: string) => {
    setEmpty(text.trim() === '' ? text : null);
    if (text.trim() !== '') lab.editor.edit({ ...lab.store.getState().edited, title: text });
  };
  return (
    <div className="experiment-title">
      <label className="line">
        Title{' '}
        <input
          className="field grow"
          maxLength={LONGEST}
          value={empty ?? title}
          data-testid="setting-title"
          aria-invalid={empty === null ? undefined : true}
          aria-describedby={empty === null ? undefined : problemId}
          onChange={({ target }) => type(target.value)}
          onBlur={() => setEmpty(null)}
        />
      </label>
      {empty !== null && (
        <span id={problemId} className="small" role="alert">
          {' '}
          An experiment needs a title; left empty, it stays “{title}”.
        </span>
      )}
    </div>
  );
}
