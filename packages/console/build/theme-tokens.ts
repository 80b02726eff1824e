import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { renderTokens } from '../src/theme/render-tokens.ts';

const TOKENS = fileURLToPath(new URL('../src/theme/tokens.json', import.meta.url));
const MODULE = 'virtual:tokens.css';

/** Offers the custom properties of src/theme/tokens.json as the style sheet `virtual:tokens.css`. */
export function themeTokens(): Plugin {
  return {
    name: 'theme-tokens',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      this.addWatchFile(TOKENS);
      return renderTokens(JSON.parse(readFileSync(TOKENS, 'utf8')));
    },
  };
}
