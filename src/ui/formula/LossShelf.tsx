/** The shelf: formulas kept in this browser, opened from files (chosen, or dropped on it) and saved as files. */
import { type ChangeEvent, type DragEvent, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Draft } from '../../store/formulaDesk';
import { PopoverButton } from '../PopoverButton';
import { saveFile } from '../share/saveFile';
import { useLab } from '../useLab';

export function LossShelf({ draft }: { draft: Draft }) {
  return (
    <span className="popover-place">
      <PopoverButton label="Your formulas" words="Shelf, files" className="button" testId="own-loss-shelf">
        {() => <Shelf draft={draft} />}
      </PopoverButton>
    </span>
  );
}

function Shelf({ draft: { loss } }: { draft: Draft }) {
  const { desk, formulas } = useLab();
  const { kept, problem } = useStore(formulas.store);
  useEffect(() => void formulas.refresh(), [formulas]);
  const read = async (file: File | undefined) => {
    const found = file === undefined ? null : await formulas.read(file);
    if (found !== null) desk.change(found);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    void read(target.files?.[0]);
    target.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are also chosen by the button
    <div className="own-loss-shelf-body" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className="dialog-buttons">
        <button
          type="button"
          className="button"
          data-testid="shelf-keep"
          disabled={loss.name === ''}
          onClick={() => formulas.keep(loss.name, loss.text)}
        >
          Keep {loss.name} here
        </button>
        <button
          type="button"
          className="button"
          onClick={() => saveFile(`${loss.name || 'loss'}.loss`, new Blob([`${loss.text}\n`], { type: 'text/plain' }))}
        >
          Save as a file
        </button>
        <label className="button file-button">
          Open a .loss file
          <input
            type="file"
            accept=".loss,.txt,text/plain"
            className="hidden-text"
            data-testid="shelf-file"
            onChange={choose}
          />
        </label>
      </div>
      {problem !== null && (
        <p className="small own-loss-mistake" role="alert">
          {problem}
        </p>
      )}
      {kept.length === 0 ? (
        <p className="small soft">Nothing is kept yet. Files can also be dropped here.</p>
      ) : (
        <ul className="own-loss-kept">
          {kept.map(({ name, text, date }) => (
            <li key={name}>
              <button type="button" className="button-quiet button" onClick={() => desk.change({ name, text })}>
                {name}
              </button>{' '}
              <span className="small soft">{new Date(date).toLocaleDateString()}</span>{' '}
              <button
                type="button"
                className="button-quiet button small"
                aria-label={`Remove ${name} from the shelf`}
                onClick={() => formulas.remove(name)}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
