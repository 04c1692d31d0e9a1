/** Rules of the audit: those that found something with their tokens as links, the others in a line. */

import type { RuleReport } from '../../../../batch/audit/report';
import { extentOf, lacksOf } from '../../../../batch/words/words';
import type { BatchDesk } from '../../../../store/desk/batch';
import { Titled } from '../../../kit/Titled';
import { tokenLink } from '../../../model/batch/tokenLink';

export function BatchAudit({ rules, desk }: { rules: readonly RuleReport[]; desk: BatchDesk }) {
  const of = (state: RuleReport['state']): readonly RuleReport[] => rules.filter((rule) => rule.state === state);
  const names = (state: RuleReport['state']): string =>
    of(state)
      .map(({ rule }) => rule)
      .join(', ');
  return (
    <Titled title="Audit" className="batch-part" testId="batch-audit">
      {of('found').map((report) => (
        <Finding key={report.rule} report={report} desk={desk} />
      ))}
      {names('found') === '' && <p>Nothing was found.</p>}
      <p className="small soft">Clean: {names('clean') || 'none'}.</p>
      {of('unseen').length > 0 && (
        <details data-testid="batch-unseen">
          <summary>Rules that cannot look: {of('unseen').length}</summary>
          <ul className="bullets">
            {of('unseen').map((report) => (
              <li key={report.rule}>
                {report.rule} {lacksOf(report)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Titled>
  );
}

function Finding({ report, desk }: { report: RuleReport; desk: BatchDesk }) {
  const { rule, meaning, places, found, verl, trl, note } = report;
  const go = (trajectory: number, token: number | null) => () => {
    desk.open({ trajectory, token: token ?? 0 });
    document.getElementById('batch-tokens')?.scrollIntoView({ block: 'start' });
  };
  return (
    <article className="padded" data-testid={`batch-rule-${rule}`}>
      <h4>
        {rule} <span className="soft">{[extentOf(report), note].filter((one) => one !== null).join('; ')}</span>
      </h4>
      <p>{meaning}</p>
      <ul className="bullets">
        {places.map(({ line, trajectory, token, what }) => (
          <li key={`${trajectory} ${token} ${what}`}>
            <a href={tokenLink(trajectory, token ?? 0)} onClick={go(trajectory, token)}>
              Line {line}
              {token === null ? '' : `, token ${token}`}
            </a>
            : {what}
          </li>
        ))}
        {found > places.length && <li>and {(found - places.length).toLocaleString('en')} more</li>}
      </ul>
      <p className="small">
        <strong>verl:</strong> {verl}
      </p>
      <p className="small">
        <strong>TRL:</strong> {trl}
      </p>
    </article>
  );
}
