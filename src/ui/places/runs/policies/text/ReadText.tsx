/** Reading of a text with roles by a model that somebody has: the model's probability of each token. */

import { useId } from 'react';
import { useStore } from 'zustand';
import type { Texts } from '../../../../../store/desk/texts';
import { Button } from '../../../../kit/Button';
import { Refusal } from '../../../../kit/Fields';
import { FileButton } from '../../../../kit/FileButton';
import { useArrived } from '../../../../kit/part';
import { useLab } from '../../../../model/useLab';
import { Reading } from './Reading';
import './text.css';

export function ReadText() {
  const texts = useArrived(useLab().texts);
  return texts === null ? null : <Loaded texts={texts} />;
}

function Loaded({ texts }: { texts: Texts }) {
  const { phase, files, text, reading, problem } = useStore(texts.store);
  const id = useId();
  return (
    <>
      <p>
        Any decoder in ONNX, token ids in and logits out, says of each token of a trajectory how much it expected it.
        All is read here and sent nowhere; nothing learns.
      </p>
      <Files texts={texts} files={files} />
      <label className="under-8 block" htmlFor={id}>
        The trajectory
      </label>
      <textarea
        id={id}
        className="field text-field fine mono full"
        data-testid="text-to-read"
        rows={9}
        spellCheck={false}
        aria-describedby={`${id}-help`}
        value={text}
        onChange={({ target }) => texts.write(target.value)}
      />
      <p className="small soft" id={`${id}-help`}>
        <code>prompt:</code>, <code>thought:</code>, <code>action:</code>, <code>observation:</code> or{' '}
        <code>warning:</code> begins a part; the label is not read, and each part ends with a line break. A chat model’s
        own marks go into the text.
      </p>
      <div className="row padded">
        <Button
          className="button-primary"
          data-testid="read-text"
          disabled={phase === 'reading' || files.length === 0}
          onClick={() => texts.read()}
        >
          {phase === 'reading' ? 'Reading' : 'Read it'}
        </Button>
        {phase === 'reading' && <Button onClick={() => texts.stop()}>Stop</Button>}
        <span className="small soft">On onnxruntime-web, which is loaded for it (4 MiB).</span>
      </div>
      <Refusal problem={problem} className="aside" data-testid="text-problem">
        {' '}
        Nothing in the lab has changed.
      </Refusal>
      {reading !== null && <Reading reading={reading} />}
    </>
  );
}

function Files({ texts, files }: { texts: Texts; files: readonly File[] }) {
  return (
    <>
      <div className="row padded">
        <FileButton
          words="Choose the files"
          accept=".onnx,.onnx_data,.data,.json"
          testId="text-files"
          multiple
          onChoose={(chosen) => texts.choose(chosen)}
        />
        <span data-testid="text-chosen">
          {files.length === 0 ? 'None is chosen.' : files.map(({ name }) => name).join(', ')}
        </span>
        <Button data-testid="text-example" onClick={() => void texts.chooseExample()}>
          Use the lab’s own gridworld policy
        </Button>
      </div>
      <p className="small soft">
        Together: the <code>.onnx</code> file, at most 1.5 GiB; its <code>.onnx_data</code>, if it has one; and its{' '}
        <code>tokenizer.json</code>, unless the words stand in the model’s metadata. An export by optimum or for
        transformers.js will do.
      </p>
    </>
  );
}
