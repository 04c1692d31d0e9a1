/** Draws the page in the theme that was chosen. */
import { useEffect } from 'react';
import { usePreferences } from './useLab';

export function useTheme(): void {
  const theme = usePreferences((state) => state.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
}
