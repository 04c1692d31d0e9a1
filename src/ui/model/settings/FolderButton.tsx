/** Opens a folder with a language model by hand, and says what is wrong with it. */
import type { ChangeEvent } from 'react';
import { useStore } from 'zustand';
import { useLab } from '../useLab';

interface Props {
  readonly words: string;
  /** Hash of the model that is asked for; any, if left out. */
  readonly asked?: string;
}

export function FolderButton({ words, asked }: Props) {
  const { models } = useLab();
  const isReading = useStore(models.store, (state) => state.isReading);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    if (files.length > 0) void models.open(files, asked);
    // The same folder may be chosen again after it was changed.
    target.value = '';
  };
  return (
    <label className="button file-button">
      {isReading ? 'Reading' : words}
      <input
        type="file"
        className="hidden-text"
        data-testid="open-folder"
        onChange={choose}
        {...{ webkitdirectory: '' }}
      />
    </label>
  );
}

/** Reason why no run can begin from the last folder. */
export function FolderProblem() {
  const { models } = useLab();
  const problem = useStore(models.store, (state) => state.problem);
  if (problem === null) return null;
  return (
    <p className="small alarm" role="alert" data-testid="folder-problem">
      {problem}
    </p>
  );
}
