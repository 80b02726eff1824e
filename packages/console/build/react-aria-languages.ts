import type { Plugin } from 'vite';
import { LANGUAGES } from '../src/i18n/catalog.ts';

/** File with texts of React Aria in one language: `.../react-aria/dist/private/intl/menu/he-IL.mjs`. */
const TEXTS = /\/react-(?:aria|aria-components|stately)\/dist\/private\/intl\/(?:[\w-]+\/)?([a-z]{2})-[A-Z]{2}\.mjs$/;

/**
 * Leaves out the texts of React Aria in the languages that the console does not have. React Aria shows English where a language is
 * undefined.
 */
export function reactAriaLanguages(): Plugin {
  let omitted = 0;
  return {
    name: 'react-aria-languages',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const [, language] = TEXTS.exec(id) ?? [];
      if (language === undefined || Object.hasOwn(LANGUAGES, language)) return null;
      omitted += 1;
      return 'export default undefined;';
    },
    buildEnd(error) {
      if (error === undefined && omitted === 0) throw new Error('React Aria has its texts in other files: see TEXTS.');
    },
  };
}
