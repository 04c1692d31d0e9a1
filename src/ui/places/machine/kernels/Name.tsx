/** A kernel's name, which may break after its folder and its underscores. */
import { Fragment } from 'react';

export function Name({ name }: { name: string }) {
  return name.split(/(?<=[_/])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name.
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
