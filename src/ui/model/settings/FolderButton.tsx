/** Opens a folder with a language model by hand, and says what is wrong with it. */

import { useStore } from 'zustand';
import { Refusal } from '../../kit/Fields';
import { FileButton } from '../../kit/FileButton';
import { useLab } from '../useLab';

interface Props {
  readonly words: string;
  /** Hash of the model that is asked for; any, if left out. */
  readonly asked?: string;
}

export function FolderButton({ words, asked }: Props) {
  const { models } = useLab();
  const isReading = useStore(models.store, (state) => state.isReading);
  return (
    <FileButton
      words={isReading ? 'Reading' : words}
      testId="open-folder"
      folder
      onChoose={(files) => void models.open(files, asked)}
    />
  );
}

/** Reason why no run can begin from the last folder. */
export function FolderProblem() {
  const { models } = useLab();
  return <Refusal problem={useStore(models.store, (state) => state.problem)} />;
}
