/** Keeps the choice between the system's theme, light and dark. */
import { keep, readKept } from '../client/browser-adapter.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(): Theme {
  const kept = readKept('theme');
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

/** Shows the pages in the kept theme. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  keep('theme', theme === 'system' ? null : theme);
  applyTheme();
}
