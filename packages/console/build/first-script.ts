import type { Plugin } from 'vite';
import { firstMessages } from './message-chunks.ts';

const NAME = 'first-paint';

/**
 * Bundles a script that runs before the first paint, and adds it to the head of index.html as a classic script with a hashed name.
 * A module script would run after the page was painted, and the content security policy forbids inline scripts. The element has the
 * addresses of the first messages by language: `data-en`, `data-de`.
 * @param path - file without imports and exports, relative to the folder of the package
 */
export function firstScript(path: string): Plugin {
  let base: string;
  return {
    name: 'first-script',
    apply: 'build',
    configResolved(config) {
      base = config.base;
    },
    buildStart() {
      this.emitFile({ type: 'chunk', id: path, name: NAME });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === NAME);
        if (chunk === undefined) throw new Error(`${path} is not in the bundle.`);
        const messages = Object.entries(firstMessages(bundle)).map(([language, file]) => [
          `data-${language}`,
          `${base}${file}`,
        ]);
        const attrs = { src: `${base}${chunk.fileName}`, ...Object.fromEntries(messages) };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}
