/** A named part of the page: its heading takes the focus when one jumps to it. */
import type { ReactNode } from 'react';
import { GROUPS, type GroupId } from './groups';
import './groups.css';

export function Group({ id, children }: { id: Exclude<GroupId, 'arms'>; children: ReactNode }) {
  const { title, about } = GROUPS[id];
  return (
    <section className={`group group-${id}`} id={id} aria-labelledby={`${id}-title`}>
      <div className="group-head">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <p className="small soft">{about}</p>
      </div>
      {children}
    </section>
  );
}
