/** Ways to pass a lesson on: by its address, with other places hidden, or in a frame of another page. */
import { withHidden } from '../../../../experiment/link/hidden';
import { escapeMarkup } from '../../../kit/format';
import { embedLink, lessonPart } from '../../../model/embedAddress';
import { placeLink } from '../../../model/place';
import type { Lesson } from './lesson';

/** Places that lead away from a lesson. */
const AWAY = ['why', 'belief', 'training', 'settings', 'runs', 'kernels', 'speed'] as const;

export function ForTeachers({ lesson: { id, title } }: { lesson: Lesson }) {
  const [page = ''] = location.href.split(/[?#]/);
  const link = placeLink('lessons', id);
  const [source = ''] = embedLink(page, lessonPart(id)).split('#');
  const frame = `<iframe src="${escapeMarkup(source)}" title="${escapeMarkup(`Unmask: ${title}`)}" width="960" height="1200" style="border: 0" loading="lazy"></iframe>`;
  return (
    <details className="small lesson-teachers">
      <summary data-testid="for-teachers">Pass this lesson on</summary>
      <Copied label="Its address" value={link} />
      <Copied label="The same with nothing else on the page" value={withHidden(link, AWAY)} />
      <Copied label="A frame for another page" value={frame} />
    </details>
  );
}

function Copied({ label, value }: { label: string; value: string }) {
  return (
    <label>
      <span className="soft">{label}</span>
      <input className="field share-url full" readOnly value={value} onFocus={({ target }) => target.select()} />
    </label>
  );
}
