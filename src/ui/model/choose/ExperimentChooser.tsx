/** All presets by what they are about; choosing one replaces what the controls show, and a live run is asked for first. */
import { estimateSeconds } from '../../../experiment/duration';
import { encodeLink } from '../../../experiment/link/link';
import { isOfOwnWorld, openWorldsOf } from '../../../experiment/ownWorld';
import { type Preset, presetGroups } from '../../../experiment/presets/presets';
import { plural } from '../../kit/format';
import { useWorld } from '../environment';
import { placeLink } from '../place';
import { useLab, useLabState } from '../useLab';
import { ChoiceButton } from './ChoiceButton';
import { Chooser } from './Chooser';
import { durationWords, worldName } from './experimentWords';
import { Sheets, WorldPicture } from './WorldPicture';

export function ExperimentChooser({ onClose }: { onClose: () => void }) {
  return (
    <Chooser title="Choose an experiment" onClose={onClose}>
      <p className="chooser-note small soft">
        Times are for two processor cores, give or take a factor of two. An experiment can also have a{' '}
        <a href={placeLink('world')} onClick={onClose}>
          world that you write
        </a>
        . Looking for a paper or a mechanism?{' '}
        <a href={placeLink('methods')} onClick={onClose}>
          Methods by name
        </a>
        .
      </p>
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
  // A world in one file has no picture here: its episodes would have to be played in the sandbox.
  const isOwn = isOfOwnWorld(experiment.environment);
  const environment = useWorld(experiment.environment)?.environment ?? null;
  if (environment === null && !isOwn) return null;
  const { arms, seeds } = experiment;
  const facts = [
    worldName(experiment.environment),
    `${plural(arms.length, 'arm')} × ${plural(seeds, 'seed')}`,
    ...(environment === null ? [] : [durationWords(estimateSeconds(experiment, environment))]),
    id,
  ];
  return (
    <ChoiceButton
      title={experiment.title}
      text={claim}
      facts={facts}
      picture={
        isOwn || environment === null ? <Sheets kinds={['drawing']} /> : <WorldPicture environment={environment} />
      }
      present={edited.preset !== id ? null : encodeLink(edited) === `preset=${id}` ? 'on screen' : 'on screen, changed'}
      testId={`preset-${id}`}
      onChoose={() => {
        const choose = (): void =>
          lab.leaving.ask(`You chose another experiment: “${experiment.title}”.`, () => lab.editor.open(experiment));
        if (isOwn) void openWorldsOf(experiment).then(choose, choose);
        else choose();
        onClose();
      }}
    />
  );
}
