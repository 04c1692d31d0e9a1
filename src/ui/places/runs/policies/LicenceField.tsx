/** Licence under which a policy is saved: SPDX's words, kept for the next one. */
import { useId, useState } from 'react';
import { COMMON_LICENCES, isLicence, NO_LICENCE } from '../../../../foundation/licence';
import { useLab, usePreferences } from '../../../model/useLab';

/** `onJudged`: called with true if a policy can be saved with the typed licence. */
export function LicenceField({ onJudged }: { readonly onJudged: (isSound: boolean) => void }) {
  const { preferences } = useLab();
  const kept = usePreferences((state) => state.licence);
  const [text, setText] = useState(kept === NO_LICENCE ? '' : kept);
  const id = useId();
  const expression = (typed: string): string => typed.trim() || NO_LICENCE;
  const isSound = isLicence(expression(text));
  const write = (typed: string): void => {
    setText(typed);
    const judged = isLicence(expression(typed));
    if (judged) preferences.setState({ licence: expression(typed) });
    onJudged(judged);
  };
  return (
    <>
      <label className="policies-choice line inline fit">
        <span className="small soft">Licence written into the file</span>
        <input
          className="field"
          data-testid="licence"
          list={`${id}-common`}
          value={text}
          placeholder="none stated"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={!isSound}
          aria-describedby={isSound ? undefined : `${id}-problem`}
          onChange={({ target }) => write(target.value)}
        />
      </label>
      <datalist id={`${id}-common`}>
        {COMMON_LICENCES.map((licence) => (
          <option key={licence} value={licence} />
        ))}
      </datalist>
      {!isSound && (
        <span id={`${id}-problem`} className="small" role="alert">
          SPDX has no such expression: write MIT or “CC-BY-4.0 OR MIT” for instance, or nothing.
        </span>
      )}
    </>
  );
}
