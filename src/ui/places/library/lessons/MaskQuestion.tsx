/**
 * A batch with faults in its masks, and its question: the reader points at a token and names a fault, the audit says whether it is
 * so.
 */

import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { RuleId } from '../../../../batch/audit/report';
import { BatchDesk } from '../../../../store/desk/batch';
import { Button } from '../../../kit/Button';
import { Titled } from '../../../kit/Titled';
import { BatchRows } from '../../../model/batch/BatchRows';
import { Numbers } from '../../../model/batch/BatchTokens';
import { Choices } from './Choices';
import type { MaskLesson } from './lesson';
import { judgeMask } from './maskJudgement';
import { Paragraphs } from './Paragraphs';

export function MaskQuestion({ lesson }: { lesson: MaskLesson }) {
  const { ask, choices } = lesson.question;
  const [desk] = useState(() => new BatchDesk());
  const { told, chosen, failure } = useStore(desk.store);
  const [fault, setFault] = useState<string | null>(null);
  const [found, setFound] = useState<readonly RuleId[]>([]);
  const [said, setSaid] = useState('');
  useEffect(() => {
    let isGone = false;
    lesson.batch().then(({ default: text }) => {
      if (!isGone) desk.read([new File([text], 'episodes.jsonl')]);
    });
    return () => {
      isGone = true;
      desk.close();
    };
  }, [desk, lesson]);
  const count = told?.rules.filter(({ state }) => state === 'found').length ?? 0;
  const check = () => {
    if (told === null || chosen === null || fault === null) return;
    const judged = judgeMask(told.rules, chosen, fault);
    const all = judged.finding === null ? found : [...new Set([...found, judged.finding])];
    setFound(all);
    setSaid(`${judged.said} Found: ${all.length} of ${count}.`);
  };
  return (
    <>
      <section className="lesson-lab stack wide start band" aria-label="The batch">
        {told !== null && <BatchRows desk={desk} />}
        {chosen !== null && <Numbers chosen={chosen} />}
        {failure !== null && <p role="alert">{failure.what}</p>}
      </section>
      <Titled title="Question" className="stack start">
        <Choices ask={ask} choices={choices} chosen={fault} onChoose={setFault} />
        <Button
          className="button-primary"
          data-testid="lesson-check"
          disabled={fault === null || chosen === null}
          onClick={check}
        >
          Check my answer
        </Button>
        <p
          className="lesson-answer aside padded measure"
          role="status"
          data-testid="lesson-answer"
          data-found={found.length}
        >
          {said || 'Choose a token above and a fault.'}
        </p>
        {count > 0 && found.length === count && <Paragraphs texts={lesson.after} />}
      </Titled>
    </>
  );
}
