/** All presets by what they are about; choosing one replaces what the controls show, and a live run is asked for first. */
import { estimateSeconds } from '../../experiment/duration';
import { encodeLink } from '../../experiment/link';
import { type Preset, presetGroups } from '../../experiment/presets';
import { plural } from '../format';
import { useLab, useLabState } from '../useLab';
import { useMadeEnvironment } from '../useMadeEnvironment';
import { ChoiceButton } from './ChoiceButton';
import { Chooser } from './Chooser';
import { WorldPicture } from './WorldPicture';
import { durationWords, worldName } from './words';

export function ExperimentChooser({ onClose }: { onClose: () => void }) {
  return (
    <Chooser title="Choose an experiment" onClose={onClose}>
      <p className="chooser-note small soft">Times are for two processor cores, give or take a factor of two.</p>
      {presetGroups.map(({ title, presets }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul className="choices">
            {presets.map((preset) => (
              <li key={preset.id}>
                <PresetChoice preset={preset} onClose={onClose} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Chooser>
  );
}

function PresetChoice({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  const { id, claim, experiment } = preset;
  const environment = useMadeEnvironment(experiment.environment);
  if (environment === null) return null;
  const { arms, seeds } = experiment;
  const facts = [
    worldName(experiment.environment),
    `${plural(arms.length, 'arm')} × ${plural(seeds, 'seed')}`,
    durationWords(estimateSeconds(experiment, environment)),
    id,
  ];
  return (
    <ChoiceButton
      title={experiment.title}
      text={claim}
      facts={facts}
      picture={<WorldPicture environment={environment} />}
      present={edited.preset !== id ? null : encodeLink(edited) === `preset=${id}` ? 'on screen' : 'on screen, changed'}
      testId={`preset-${id}`}
      onChoose={() => {
        lab.editor.replace(experiment, null);
        onClose();
      }}
    />
  );
}
