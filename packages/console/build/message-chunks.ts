import type { Plugin } from 'vite';
import { LANGUAGES, type Language } from '../src/i18n/catalog.ts';
import { MESSAGE_PARTS, partOf } from '../src/i18n/message-parts.ts';
import german from '../src/i18n/messages.de.ts';
import english from '../src/i18n/messages.en.ts';

const TABLE = 'virtual:messages';
const CATALOGS = { en: english, de: german } as const;
const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

const nameOf = (language: string, part: string): string => `${TABLE}/messages-${language}-${part}`;

/** Source of the module with a function for each part and language. */
const tableSource = (): string => {
  const rows = LANGUAGE_NAMES.map((language) => {
    const parts = MESSAGE_PARTS.map((part) => `${part}: () => import('${nameOf(language, part)}')`);
    return `${language}: { ${parts.join(', ')} }`;
  });
  return `export default { ${rows.join(', ')} };`;
};

/** Source of the module with the messages of one part in one language. */
function messagesSource(language: Language, part: string): string {
  const messages = Object.entries(CATALOGS[language]).filter(([key]) => partOf(key) === part);
  return `export default ${JSON.stringify(Object.fromEntries(messages))};`;
}

/**
 * Offers the catalogs as `virtual:messages`, each part in each language a chunk of its own: a page loads no text of another page, and no
 * text of another language.
 */
export function messageChunks(): Plugin {
  return {
    name: 'message-chunks',
    resolveId: (id) => (id === TABLE || id.startsWith(`${TABLE}/`) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${TABLE}`) return tableSource();
      const found = LANGUAGE_NAMES.flatMap((language) => MESSAGE_PARTS.map((part) => ({ language, part }))).find(
        ({ language, part }) => id === `\0${nameOf(language, part)}`,
      );
      return found === undefined ? null : messagesSource(found.language, found.part);
    },
  };
}

/** The files of a bundle, as plugins of Vite get them. */
type Bundle = Readonly<
  Record<string, { readonly type: string; readonly fileName: string; readonly facadeModuleId?: string | null }>
>;

/** Returns the file with the messages that every page needs, by language. */
export function firstMessages(bundle: Bundle): Readonly<Record<string, string>> {
  return Object.fromEntries(
    LANGUAGE_NAMES.map((language) => {
      const id = `\0${nameOf(language, 'base')}`;
      const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === id);
      if (chunk === undefined) throw new Error(`The bundle has no file with the messages of ${language}.`);
      return [language, chunk.fileName];
    }),
  );
}
