/** Words on a kept run, such as its note or its tags: written when the field is left. */
import { useState } from 'react';

interface Props {
  readonly label: string;
  readonly hint?: string;
  readonly longest?: number;
  readonly note: string;
  readonly onWrite: (text: string) => void;
}

export function RunNote({ label, hint = '', longest = 500, note, onWrite }: Props) {
  const [text, setText] = useState(note);
  return (
    <label className="stack near">
      <span className="small soft">{label}</span>
      <input
        className="field"
        placeholder={hint}
        maxLength={longest}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => text !== note && onWrite(text)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      />
    </label>
  );
}
