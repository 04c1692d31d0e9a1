/** Measures of the texts that policies write in a world that says no more of them: what they repeat, and what is forgotten. */
import type { TextWorld } from '../../environment';
import { repeatedShare } from '../../listener/sentence';
import type { TextForm } from '../text/textForm';
import { tokensFor, USUAL_MODEL } from '../text/tokenizers';

export const measuredTexts = (form: TextForm): TextWorld => ({
  /** The stories of the listener, in the pieces of the world's model. */
  async ordinary() {
    const { ORDINARY } = await import('../../listener/ordinary');
    const { tokens } = tokensFor(USUAL_MODEL);
    return ORDINARY.map((story) => form.first(tokens.begun(story)));
  },
  read: (_task, _turn, action) => ({ repeated: repeatedShare(form.said(Array.from(action))) }),
});
