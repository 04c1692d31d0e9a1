/**
 * The page's parts as links, always in reach: at the window's lower edge while what they name lies below, at its upper edge
 * afterwards. Jumping leaves the address alone, which may hold an experiment.
 */
import { useEffect, useState } from 'react';
import { GROUPS, type GroupId } from './groups';

interface Props {
  readonly shown: readonly GroupId[];
}

export function GroupNav({ shown }: Props) {
  const inView = useInView(shown);
  return (
    <nav className="group-nav" aria-label="Parts of the page">
      <ul>
        {shown.map((id) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={inView.has(id) ? 'location' : undefined}
              data-testid={`go-${id}`}
              onClick={(event) => {
                event.preventDefault();
                goTo(id);
              }}
            >
              {GROUPS[id].title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Into view, and the focus with it. */
export function goTo(id: GroupId): void {
  document.getElementById(id)?.scrollIntoView({ block: 'start' });
  document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
}

/** The parts that cross a line a third down the window. */
function useInView(ids: readonly GroupId[]): ReadonlySet<GroupId> {
  const [inView, setInView] = useState<ReadonlySet<GroupId>>(new Set());
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        setInView((before) => {
          const now = new Set(before);
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) now.add(target.id as GroupId);
            else now.delete(target.id as GroupId);
          }
          return now;
        });
      },
      { rootMargin: '-33% 0px -67% 0px' },
    );
    for (const id of ids) {
      const group = document.getElementById(id);
      if (group !== null) observer.observe(group);
    }
    return () => observer.disconnect();
  }, [ids]);
  return inView;
}
