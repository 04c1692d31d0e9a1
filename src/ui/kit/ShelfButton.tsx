/** A shelf: texts kept in this browser, opened from files (chosen, or dropped on it) and saved as files. */

import { type DragEvent, useEffect } from 'react';
import { useStore } from 'zustand';
import type { TextShelf } from '../../store/desk/textShelf';
import { Button } from './Button';
import { Refusal } from './Fields';
import { FileButton } from './FileButton';
import { PopoverButton } from './PopoverButton';
import { saveFile } from './saveFile';

export interface ShelfEntry {
  readonly name: string;
  readonly text: string;
}

interface Props extends ShelfEntry {
  readonly shelf: TextShelf;
  readonly testId: string;
  /** Called with a text of the shelf, or of a file, that takes the place of the written one. */
  readonly onTake: (taken: ShelfEntry) => void;
}

export function ShelfButton(props: Props) {
  return (
    <span>
      <PopoverButton
        label={`Your ${props.shelf.kind.plural}`}
        words="Saved and files"
        className="button"
        testId={props.testId}
      >
        {() => <Shelf {...props} />}
      </PopoverButton>
    </span>
  );
}

function Shelf({ shelf, name, text, onTake }: Props) {
  const { kept, problem } = useStore(shelf.store);
  const { singular, endings } = shelf.kind;
  const [ending = ''] = endings;
  useEffect(() => void shelf.refresh(), [shelf]);
  const read = async (file: File | undefined) => {
    const found = file === undefined ? null : await shelf.read(file);
    if (found !== null) onTake(found);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are also chosen by the button
    <div className="shelf-body stack apart" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div className="dialog-buttons">
        <Button data-testid="shelf-keep" disabled={name === ''} onClick={() => shelf.keep(name, text)}>
          Keep {name} here
        </Button>
        <Button
          onClick={() => saveFile(`${name || singular}${ending}`, new Blob([`${text}\n`], { type: 'text/plain' }))}
        >
          Save as a file
        </Button>
        <FileButton
          words={`Open a ${ending} file`}
          accept={[...endings, 'text/plain'].join()}
          onChoose={([file]) => void read(file)}
        />
      </div>
      <Refusal problem={problem} />
      {kept.length === 0 ? (
        <p className="small soft">Nothing is kept yet. Files can also be dropped here.</p>
      ) : (
        <ul className="limited scrolls">
          {kept.map((one) => (
            <li key={one.name}>
              <Button className="button-quiet" onClick={() => onTake({ name: one.name, text: one.text })}>
                {one.name}
              </Button>{' '}
              <span className="small soft">{new Date(one.date).toLocaleDateString()}</span>{' '}
              <Button
                className="button-quiet small"
                aria-label={`Remove ${one.name} from the shelf`}
                onClick={() => shelf.remove(one.name)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
