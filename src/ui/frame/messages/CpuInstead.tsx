/** Button for the CPU, where the chosen backend has nothing to run on. */
import { Button } from '../../kit/Button';
import { useLab, useLabState, usePreferences } from '../../model/useLab';

export function CpuInstead({ words, onChosen }: { words: string; onChosen: () => void }) {
  const { preferences } = useLab();
  const foundNothing = useLabState((state) => state.foundNothing);
  const isChosen = usePreferences(({ backend }) => backend === 'cpu');
  if (!foundNothing || isChosen) return null;
  const choose = () => {
    preferences.setState({ backend: 'cpu' });
    onChosen();
  };
  return (
    <Button className="button-primary" data-testid="use-cpu" onClick={choose}>
      {words}
    </Button>
  );
}
