/** Button that saves all findings as one file for paper, which is written when it is first asked for. */

import { useState } from 'react';
import { apart } from '../../../../foundation/apart';
import { asLabError } from '../../../../foundation/errors';
import { Button } from '../../../kit/Button';
import { saveFile } from '../../../kit/saveFile';
import { labLink } from '../../../model/place';
import { CARDS } from './data';

const paper = apart(() => import('./paper'));

export function PaperButton() {
  const [said, setSaid] = useState('');
  const save = async () => {
    try {
      setSaid('');
      const html = (await paper()).paper(CARDS, labLink(''), new Date());
      saveFile('unmask-findings.html', new Blob([html], { type: 'text/html' }));
    } catch (cause) {
      setSaid(asLabError(cause).message);
    }
  };
  return (
    <p>
      <Button data-testid="finding-paper" onClick={save}>
        Save for print
      </Button>{' '}
      <span className="small soft">all findings with figures, methods and every seed’s number, as one HTML file</span>{' '}
      <span role="status" className="small">
        {said}
      </span>
    </p>
  );
}
