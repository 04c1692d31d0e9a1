/** First stop of the keyboard: past the header to what the place is about, in the lab to its question and Run. Seen while focused. */
import { Button } from '../../kit/Button';

export function SkipLink() {
  const skip = () => {
    const main = document.querySelector('main:not([hidden])');
    const [about] = main?.getElementsByClassName('skip-here') ?? [];
    const target = about ?? main;
    if (!(target instanceof HTMLElement)) return;
    target.tabIndex = -1;
    target.focus();
  };
  return (
    <Button className="skip" data-testid="skip" onClick={skip}>
      Skip to the content
    </Button>
  );
}
