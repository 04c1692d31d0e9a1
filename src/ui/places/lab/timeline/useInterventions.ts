/** Edits of the strip. It has no state of its own, and comes with the strip. */
import { useMemo } from 'react';
import { Interventions } from '../../../../store/edit/interventions';
import { useLab } from '../../../model/useLab';

export function useInterventions(): Interventions {
  const lab = useLab();
  return useMemo(() => new Interventions(lab), [lab]);
}
