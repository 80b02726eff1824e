import { readLocalSetting, storeLocalSetting } from '../theme/local-setting.ts';
import { LANGUAGES, type Language } from './catalog.ts';

const KEY = 'sluice.language';

const isLanguage = (value: string): value is Language => Object.hasOwn(LANGUAGES, value);

/** Returns the first language of a list (`de-AT`, `en`) that has a catalog; English if none has. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '').find(isLanguage);
  return known ?? 'en';
}

/**
 * Returns the locale for dates and numbers in a language: the browser's own one of that language (`en-GB`), else the language with the
 * region of the browser (`en-DE`).
 */
export function chooseLocale(language: Language, preferred: readonly string[]): string {
  const own = preferred.find((tag) => tag.split('-')[0]?.toLowerCase() === language);
  if (own !== undefined) return own;
  const region = preferred.map((tag) => new Intl.Locale(tag).region).find((each) => each !== undefined);
  return new Intl.Locale(language, region === undefined ? {} : { region }).toString();
}

/** Returns the language that the user chose on this machine, else the first of the browser. */
export function readLanguage(): Language {
  const stored = readLocalSetting(KEY);
  return stored !== null && isLanguage(stored) ? stored : chooseLanguage(navigator.languages);
}

/** Stores the choice of the user on this machine. */
export const storeLanguage = (language: Language): void => storeLocalSetting(KEY, language);
