/** The ways into an episode, where one looks for reasons: its tokens, its group, and the policy's dream of the world. */
import { withTerms } from '../kit/Term';
import { goTo } from '../place';
import { useLab, useLabState, usePlayback, usePreferences } from '../useLab';
import { askForDreams } from './dream/asked';

export function WaysToLook() {
  const { inspector, preferences } = useLab();
  const running = useLabState((state) => state.running !== null);
  const episode = usePlayback(({ episodes }) => Object.values(episodes)[0]);
  const dreaming = usePreferences((state) => state.dream !== 'none');
  const first = running ? 'Load the run’s policies first, or run again' : 'Press Run first';
  const inspect = (tab?: 'tree') => episode && inspector.open(episode, null, tab);
  const dream = () => {
    if (!dreaming) {
      askForDreams();
      goTo('lab');
    }
    preferences.setState({ dream: dreaming ? 'none' : 'next', dreamSampling: 'greedy' });
  };
  return (
    <section className="panel ways" aria-labelledby="ways-title">
      <h3 id="ways-title">Look inside an episode</h3>
      {episode === undefined && <p className="small soft">{first}: all need an episode.</p>}
      <Way
        id="inspect"
        name="Inspect tokens"
        shows="Every token of an episode: how likely it was, what it was worth, and the formula that it is learned by."
        blocked={episode === undefined ? first : null}
        onClick={() => inspect()}
      />
      <Way
        id="tree"
        name="Draw its group"
        shows="All rollouts of its task, joined while they did and saw the same: where they part, and how many succeed on each way."
        blocked={episode === undefined ? first : null}
        onClick={() => inspect('tree')}
      />
      <Way
        id="dream"
        name={dreaming ? 'Hide the dreams' : 'Draw the dreams'}
        shows="Dreams: what the policy expects the world to answer, drawn in the lab under each world, beside what came."
        blocked={running ? null : first}
        pressed={dreaming}
        onClick={dream}
      />
    </section>
  );
}

interface WayProps {
  readonly id: string;
  readonly name: string;
  /** What it shows, as a sentence. */
  readonly shows: string;
  /** Reason for which it cannot be pressed; null where it can. */
  readonly blocked: string | null;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function Way({ id, name, shows, blocked, pressed, onClick }: WayProps) {
  return (
    <p className="way small">
      <button
        type="button"
        className="button"
        data-testid={`why-${id}`}
        aria-pressed={pressed}
        disabled={blocked !== null}
        title={blocked ?? undefined}
        onClick={onClick}
      >
        {name}
      </button>
      <span className="soft">{withTerms(shows)}</span>
    </p>
  );
}
