/** An address that names a part of the page, such as `#training`, leads there. */
import { useEffect } from 'react';
import { goTo } from './GroupNav';
import { groupOf } from './groups';

export function useGroupLink(): void {
  useEffect(() => {
    const follow = () => {
      const group = groupOf(location.hash);
      if (group !== null) goTo(group);
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
}
