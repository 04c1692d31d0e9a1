/** The model that came out of a fine-tuning: what it learned, as files, and as the beginning of policies. */

import { useStore } from 'zustand';
import type { TuningDesk } from '../../../../../store/desk/tuning';
import { Button } from '../../../../kit/Button';
import { formatDecimals, plural } from '../../../../kit/format';
import { saveFile } from '../../../../kit/saveFile';
import { goTo } from '../../../../model/place';

/** Called once it is there: the curve above it may fill the window. */
const intoView = (node: HTMLElement | null): void => node?.scrollIntoView({ block: 'nearest' });

export function Tuned({ desk }: { desk: TuningDesk }) {
  const { done, tuned } = useStore(desk.store);
  if (done === null) return null;
  const { updates, before, after, folders } = done;
  const held =
    before === null || after === null
      ? ''
      : ` Loss of texts that were held out: ${formatDecimals(before, 3)} before, ${formatDecimals(after, 3)} after.`;
  const kept =
    tuned === null
      ? ''
      : tuned.isKept
        ? ` Kept in this browser as “${tuned.title}”.`
        : ' This browser does not keep it: save it before the page is reloaded.';
  return (
    <section aria-label="The tuned model" className="policies-part" data-testid="tuned" data-id={tuned?.id}>
      <p role="status">
        Taught in {plural(updates, 'update')}.{held}
        {kept}
      </p>
      <div className="row padded" ref={intoView}>
        <Button
          className="button-primary"
          disabled={tuned === null}
          onClick={() => {
            desk.use();
            goTo('lab');
          }}
        >
          Begin from it
        </Button>
        {folders.map(({ name, file }, at) => (
          <Button
            key={name}
            data-testid={at === 0 ? 'tuned-model' : 'tuned-adapter'}
            onClick={() => saveFile(name, file)}
          >
            {at > 0 ? 'Save the adapter' : folders.length > 1 ? 'Save the model, adapter merged' : 'Save the model'}
          </Button>
        ))}
      </div>
      <p className="small soft">A zipped folder as Hugging Face’s programs read it; lab chat talks to it.</p>
    </section>
  );
}
