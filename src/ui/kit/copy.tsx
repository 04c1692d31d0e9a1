/** Texts to be copied: by a button, or selected as a whole in their field. */
import type { ComponentProps } from 'react';

/** Copies a text and returns the sentence that tells of it; where the browser forbids it, the text’s field is selected. */
export async function copied(what: string, text: string, field?: HTMLInputElement | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return `${what} is in your clipboard.`;
  } catch {
    field?.focus();
    field?.select();
    return field == null
      ? 'The browser did not allow copying: allow it for this page, and copy again.'
      : 'The browser did not allow copying: the text is selected, copy it yourself.';
  }
}

export const CopyField = (props: ComponentProps<'input'>) => (
  <input className="field full" readOnly onFocus={({ target }) => target.select()} {...props} />
);

export const CopyText = (props: ComponentProps<'textarea'>) => (
  <textarea
    className="field embed-html full breaks"
    readOnly
    spellCheck={false}
    onFocus={({ target }) => target.select()}
    {...props}
  />
);
