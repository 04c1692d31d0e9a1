/** The ways into an episode, where one looks for reasons: its tokens, its group, and the policy's dream of the world. */
import { Button } from '../../../kit/Button';
import { withTerms } from '../../../kit/Term';
import { askForDreams } from '../../../model/dream/asked';
import { goTo } from '../../../model/place';
import { useLab, useLabState, usePlayback, usePreferences } from '../../../model/useLab';

export function WaysToLook() {
  const { inspector, preferences } = useLab();
  const episode = usePlayback(({ episodes }) => Object.values(episodes)[0]);
  const dreaming = usePreferences((state) => state.dream !== 'none');
  const first = useFirst();
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
        blocked={episode === undefined && !dreaming ? first : null}
        pressed={dreaming}
        onClick={dream}
      />
    </section>
  );
}

/** Words for what brings an episode where there is none. */
function useFirst(): string {
  const phase = useLabState((state) => state.phase);
  const isWhole = useLabState(({ running, update }) => update >= (running?.updates ?? Number.POSITIVE_INFINITY));
  if (phase === 'idle') return 'Press Run first';
  if (phase === 'restored' && !isWhole) return 'Continue the run first';
  const isOver = phase === 'restored' || phase === 'finished' || phase === 'failed';
  return isOver ? 'Run again or train on, as no episodes are kept' : 'Wait for the first update';
}

interface WayProps {
  readonly id: string;
  readonly name: string;
  /** Description of what is shown, as a sentence. */
  readonly shows: string;
  /** Reason for which it cannot be pressed; null where it can. */
  readonly blocked: string | null;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function Way({ id, name, shows, blocked, pressed, onClick }: WayProps) {
  return (
    <p className="way small row row-close above-8">
      <Button
        data-testid={`why-${id}`}
        aria-pressed={pressed}
        disabled={blocked !== null}
        title={blocked ?? undefined}
        onClick={onClick}
      >
        {name}
      </Button>
      <span className="soft">{withTerms(shows)}</span>
    </p>
  );
}
