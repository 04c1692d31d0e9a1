/** A button that opens files, or a folder, of the reader's. */
import type { ChangeEvent } from 'react';

interface Props {
  readonly words: string;
  readonly testId?: string;
  readonly disabled?: boolean;
  readonly accept?: string;
  readonly multiple?: boolean;
  /** True for all files of a folder. */
  readonly folder?: boolean;
  /** Called with one file at least. */
  readonly onChoose: (files: readonly [File, ...File[]]) => void;
}

export function FileButton({ words, testId, disabled = false, accept, multiple, folder = false, onChoose }: Props) {
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [first, ...others] = target.files ?? [];
    // The same files may be chosen again after they were changed.
    target.value = '';
    if (first !== undefined) onChoose([first, ...others]);
  };
  return (
    <label className={`button file-button${disabled ? ' file-button-busy soft' : ''}`}>
      {words}
      <input
        type="file"
        className="hidden-text"
        data-testid={testId}
        {...{ disabled, accept, multiple }}
        onChange={choose}
        {...(folder ? { webkitdirectory: '' } : {})}
      />
    </label>
  );
}
