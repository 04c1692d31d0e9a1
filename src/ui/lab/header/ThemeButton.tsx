/** Light, dark, or as the system has it: each press goes on to the next. */
import { useEffect } from 'react';
import type { Theme } from '../../../store/keep/preferences';
import { useLab, usePreferences } from '../../useLab';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const WORDS: Readonly<Record<Theme, string>> = { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' };

const SIGNS: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

/** Draws the page in the theme that was chosen, which it returns. */
export function useTheme(): Theme {
  const theme = usePreferences((state) => state.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

export function ThemeButton() {
  const lab = useLab();
  const theme = useTheme();
  return (
    <button
      type="button"
      className="button button-quiet theme-button"
      title={WORDS[theme]}
      data-testid="theme"
      onClick={() => lab.preferences.setState({ theme: NEXT[theme] })}
    >
      <span className="hidden-text">{WORDS[theme]}</span>
      <span aria-hidden="true">{SIGNS[theme]}</span>
    </button>
  );
}
