import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Catalog, Language } from './catalog.ts';
import { createTranslate, type Translate } from './format-message.ts';
import { chooseLocale } from './language.ts';

export type { Translate };

/** Language of the page and its messages. */
export interface Translation {
  readonly language: Language;
  readonly t: Translate;
  /** Formats a number as the user's locale writes it. */
  readonly formatNumber: (value: number | bigint) => string;
  /** Formats an instant as the user's locale writes it, in the time zone of the browser, to the second. */
  readonly formatTime: (epochMs: number) => string;
  /** Formats an instant to the minute: the time of today, or the date and time of another day. */
  readonly formatShortTime: (epochMs: number) => string;
  readonly setLanguage: (language: Language) => void;
}

const TranslationContext = createContext<Translation | undefined>(undefined);

interface TranslationProviderProps {
  readonly language: Language;
  readonly catalog: Partial<Catalog>;
  readonly setLanguage: (language: Language) => void;
  readonly children: ReactNode;
}

/** Makes the messages of one language available to everything below. */
export function TranslationProvider({ language, catalog, setLanguage, children }: TranslationProviderProps) {
  const translation = useMemo(
    () => createTranslation(language, catalog, setLanguage),
    [language, catalog, setLanguage],
  );
  return <TranslationContext value={translation}>{children}</TranslationContext>;
}

function createTranslation(
  language: Language,
  catalog: Partial<Catalog>,
  setLanguage: (language: Language) => void,
): Translation {
  const locale = chooseLocale(language, navigator.languages);
  const formats = { plural: new Intl.PluralRules(language), number: new Intl.NumberFormat(locale) };
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const ofToday = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const ofAnotherDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const isToday = (epochMs: number): boolean => new Date(epochMs).toDateString() === new Date().toDateString();
  return {
    language,
    t: createTranslate(catalog, formats),
    formatNumber: (value) => formats.number.format(value),
    formatTime: (epochMs) => time.format(epochMs),
    formatShortTime: (epochMs) => (isToday(epochMs) ? ofToday : ofAnotherDay).format(epochMs),
    setLanguage,
  };
}

/** Returns the language of the page and its messages. */
export function useTranslation(): Translation {
  const translation = useContext(TranslationContext);
  if (translation === undefined) throw new Error('useTranslation needs a TranslationProvider.');
  return translation;
}
