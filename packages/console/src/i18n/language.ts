import { readLocalSetting, storeLocalSetting } from '../theme/local-setting.ts';
import { LANGUAGES, type Language } from './catalog.ts';

const KEY = 'sluice.language';

const isLanguage = (value: string): value is Language => Object.hasOwn(LANGUAGES, value);

/** Returns the first language of a list (`de-AT`, `en`) that has a catalog; English if none has. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '').find(isLanguage);
  return known ?? 'en';
}

/** Returns the language that the user chose on this machine, else the first of the browser. */
export function readLanguage(): Language {
  const stored = readLocalSetting(KEY);
  return stored !== null && isLanguage(stored) ? stored : chooseLanguage(navigator.languages);
}

/** Stores the choice of the user on this machine. */
export const storeLanguage = (language: Language): void => storeLocalSetting(KEY, language);
