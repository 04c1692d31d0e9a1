/** The experiment's title. Left empty it goes back to what it was: links, files and the page's head need a name to show. */
import { useId, useState } from 'react';
import { useLab, useLabState } from '../../model/useLab';

const LONGEST = 120;

export function TitleField() {
  const lab = useLab();
  const title = useLabState(({ edited }) => edited.title);
  /** Typed text while it is no title. */
  const [empty, setEmpty] = useState<string | null>(null);
  const problemId = useId();
  const type = (text: string) => {
    setEmpty(text.trim() === '' ? text : null);
    if (text.trim() !== '') lab.editor.edit({ ...lab.store.getState().edited, title: text });
  };
  return (
    <div className="experiment-title">
      <label className="line">
        Title{' '}
        <input
          className="field grow"
          maxLength={LONGEST}
          value={empty ?? title}
          data-testid="setting-title"
          aria-invalid={empty === null ? undefined : true}
          aria-describedby={empty === null ? undefined : problemId}
          onChange={({ target }) => type(target.value)}
          onBlur={() => setEmpty(null)}
        />
      </label>
      {empty !== null && (
        <span id={problemId} className="small" role="alert">
          {' '}
          An experiment needs a title; left empty, it stays “{title}”.
        </span>
      )}
    </div>
  );
}
