import { useSyncExternalStore } from 'react';
import { readLocalSetting, storeLocalSetting } from './local-setting.ts';
import type { ThemeName } from './render-tokens.ts';

/** Choice of a theme. `system` follows the operating system, also when it changes at night. */
export type ThemeChoice = ThemeName | 'system';

const KEY = 'sluice.theme';
const CHANGED = 'sluice:theme';
const DARK = '(prefers-color-scheme: dark)';

const isChoice = (value: string | null): value is ThemeName => value === 'light' || value === 'dark';

function readChoice(): ThemeChoice {
  const stored = readLocalSetting(KEY);
  return isChoice(stored) ? stored : 'system';
}

/** Sets the attribute that selects the colours of tokens.css, as first-paint.ts did for the first paint. */
function applyTheme(): void {
  const choice = readChoice();
  const systemTheme = window.matchMedia(DARK).matches ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = choice === 'system' ? systemTheme : choice;
}

function subscribe(listener: () => void): () => void {
  const onChange = (): void => {
    applyTheme();
    listener();
  };
  const system = window.matchMedia(DARK);
  system.addEventListener('change', onChange);
  // Another tab of the same user.
  window.addEventListener('storage', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    system.removeEventListener('change', onChange);
    window.removeEventListener('storage', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

/** Returns the choice of the user, and keeps the page up to date with it and with the operating system. */
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, readChoice);

/** Stores the choice of the user on this machine, and shows it. */
export function chooseTheme(choice: ThemeChoice): void {
  storeLocalSetting(KEY, choice === 'system' ? null : choice);
  window.dispatchEvent(new Event(CHANGED));
}
