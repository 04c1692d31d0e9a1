/** A lesson’s question: an answer beforehand, a run, and what the run’s own numbers say to it. */

import { useMemo, useState } from 'react';
import { Titled } from '../../../kit/Titled';
import { useLab, useLabParts, useLabState } from '../../../model/useLab';
import { Choices } from './Choices';
import { isOfLesson, type Judgement, lessonRun, REACHED, type RunLesson } from './lesson';
import { Paragraphs } from './Paragraphs';

/** Judgement on the run on screen, once it rests; null where there is none of the lesson. */
function useJudgement(lesson: RunLesson): Judgement | null {
  const lab = useLab();
  const { running, update } = useLabParts('running', 'update');
  const isTraining = useLabState(({ phase }) => phase === 'running' || phase === 'preparing');
  return useMemo(() => {
    const { history } = lab.store.getState();
    if (running === null || history === null || isTraining || update === 0 || !isOfLesson(running, lesson)) return null;
    return lesson.question.judge(lessonRun(running, history));
  }, [lab, lesson, running, isTraining, update]);
}

export function LessonQuestion({ lesson }: { lesson: RunLesson }) {
  const { ask, choices } = lesson.question;
  const [chosen, choose] = useState<string | null>(null);
  const judgement = useJudgement(lesson);
  const finding = judgement?.finding ?? null;
  const isAnswered = choices.length === 0 ? finding === REACHED : finding !== null && chosen !== null;
  const verdict = verdictOf(lesson, judgement, chosen);
  return (
    <Titled title="Question" className="stack start">
      {choices.length === 0 ? (
        <p className="measure">{ask}</p>
      ) : (
        <Choices ask={`${ask} What do you expect?`} choices={choices} chosen={chosen} onChoose={choose} />
      )}
      <p
        className="lesson-answer aside padded measure"
        role="status"
        data-testid="lesson-answer"
        data-finding={finding ?? undefined}
      >
        {verdict}
      </p>
      {isAnswered && <Paragraphs texts={lesson.after} />}
    </Titled>
  );
}

function verdictOf({ question: { choices } }: RunLesson, judgement: Judgement | null, chosen: string | null): string {
  if (judgement === null) return 'No run yet: press Run.';
  const { finding, said } = judgement;
  if (finding === null) return said;
  if (choices.length === 0)
    return `${said} ${finding === REACHED ? 'That is it.' : 'Not there yet: change it and run again.'}`;
  if (chosen === null) return `${said} Now say what that means: choose an answer.`;
  const found = choices.find(({ id }) => id === finding);
  if (chosen === finding) return `${said} So it is as you said.`;
  return `${said} So not as you said, but: ${found?.words ?? 'something that is not among the answers'}.`;
}
