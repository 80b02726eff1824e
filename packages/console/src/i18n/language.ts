import loaders from 'virtual:messages';
import { readLocalSetting, storeLocalSetting } from '../theme/local-setting.ts';
import { type Catalog, LANGUAGES, type Language } from './catalog.ts';
import type { MessagePart, PageMessages } from './message-parts.ts';

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

type Messages = Partial<Catalog>;

/** Messages of the languages that were shown in this window. A part is added to each of them, so that a change of the language needs no other. */
const catalogs = new Map<Language, Messages>();
const parts = new Set<MessagePart>(['base']);

async function addMessages(catalog: Messages, language: Language, part: MessagePart): Promise<void> {
  Object.assign(catalog, (await loaders[language][part]()).default);
}

/** Loads the messages of a language that the pages shown so far need. Those of other pages are added by `loadPageMessages`. */
export async function loadCatalog(language: Language): Promise<Messages> {
  const catalog = catalogs.get(language) ?? {};
  catalogs.set(language, catalog);
  await Promise.all([...parts].map((part) => addMessages(catalog, language, part)));
  return catalog;
}

/** Adds the messages that only some pages need to the catalogs, before one of these pages is shown. */
export async function loadPageMessages(part: PageMessages): Promise<void> {
  parts.add(part);
  await Promise.all([...catalogs].map(([language, catalog]) => addMessages(catalog, language, part)));
}
