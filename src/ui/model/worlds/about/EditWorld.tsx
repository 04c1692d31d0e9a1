/** Opens the experiment's world in the editor. */
import { Button } from '../../../kit/Button';
import { placeLink } from '../../place';
import { useLab } from '../../useLab';

export function EditWorld() {
  const lab = useLab();
  const open = async () => {
    const desk = await lab.worldDesk();
    await desk.beginFromExperiment();
    location.assign(placeLink('world'));
  };
  return (
    <Button data-testid="edit-world" onClick={() => void open()}>
      Edit this world
    </Button>
  );
}
