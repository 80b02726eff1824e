import loaders from 'virtual:messages';
import type { Catalog, Language } from './catalog.ts';
import type { MessagePart, PageMessages } from './message-parts.ts';

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
