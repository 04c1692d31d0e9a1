/** Controls of the policies' dreams: drawn beside the world or not, which, and how they are written. Off until asked for. */
import type { Preferences } from '../../../store/keep/preferences';
import { Choice } from '../../kit/Choice';
import { useLab, usePreferences } from '../useLab';

interface Dream extends Pick<Preferences, 'dream' | 'dreamSampling'> {
  readonly id: string;
  readonly text: string;
}

const DREAMS: readonly Dream[] = [
  { id: 'none', dream: 'none', dreamSampling: 'greedy', text: 'off' },
  { id: 'next', dream: 'next', dreamSampling: 'greedy', text: 'each answer' },
  { id: 'next-sampled', dream: 'next', dreamSampling: 'sampled', text: 'each answer, sampled' },
  { id: 'whole', dream: 'whole', dreamSampling: 'greedy', text: 'whole episode' },
  { id: 'whole-sampled', dream: 'whole', dreamSampling: 'sampled', text: 'whole episode, sampled' },
];

export function DreamControls() {
  const { preferences } = useLab();
  const dream = usePreferences((state) => state.dream);
  const sampling = usePreferences((state) => state.dreamSampling);
  const isPresent = (choice: Dream): boolean =>
    choice.dream === dream && (dream === 'none' || choice.dreamSampling === sampling);
  return (
    <Choice
      place="small soft"
      label="Show predictions"
      className="field dream-choice"
      testId="dream"
      value={DREAMS.find(isPresent)?.id ?? null}
      options={DREAMS.map(({ id, text }) => [id, text])}
      onChoose={(id) => {
        const chosen = DREAMS.find((one) => one.id === id);
        if (chosen !== undefined) preferences.setState({ dream: chosen.dream, dreamSampling: chosen.dreamSampling });
      }}
    />
  );
}
