/** What opens the two choosers, which are loaded when they are asked for; nothing where the link hides them. */
import { type ReactNode, Suspense, startTransition, useState } from 'react';
import { part } from '../../kit/part';
import { useHidden } from '../useHidden';

export const ExperimentChooser = part('The list of experiments', () =>
  import('./ExperimentChooser').then((module) => module.ExperimentChooser),
);
export const WorldChooser = part('The list of worlds', () =>
  import('./WorldChooser').then((module) => module.WorldChooser),
);

interface Props {
  readonly className: string;
  readonly children: ReactNode;
  readonly testId: string;
}

export const ExperimentOpener = (props: Props) => <Opener {...props} Dialog={ExperimentChooser} />;
export const WorldOpener = (props: Props) => <Opener {...props} Dialog={WorldChooser} />;

function Opener({ className, children, testId, Dialog }: Props & { Dialog: typeof ExperimentChooser }) {
  const [open, setOpen] = useState(false);
  if (useHidden('experiments')) return null;
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        data-testid={testId}
        // Drawing all worlds takes a moment: in slices, so that the page stays alive.
        onClick={() => startTransition(() => setOpen(true))}
      >
        {children}
      </button>
      <Suspense>{open && <Dialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
