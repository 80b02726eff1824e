import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressFiles } from './build/compress-files.ts';
import { firstScript } from './build/first-script.ts';
import { messageChunks } from './build/message-chunks.ts';
import { reactAriaLanguages } from './build/react-aria-languages.ts';
import { themeTokens } from './build/theme-tokens.ts';
import { workerLicenses } from './build/worker-licenses.ts';

const contract = JSON.parse(readFileSync(new URL('../contract/package.json', import.meta.url), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly source: string }>>;
};

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Modules of the contract that have no schemas. The whole contract would bring zod along. */
const contractModules = Object.entries(contract.exports)
  .filter(([name]) => name !== '.')
  .map(([name, { source: path }]) => ({
    find: `@sluice/contract/${name.slice(2)}`,
    replacement: source(`../contract/${path}`),
  }));

const LICENSES = 'third-party-licenses.md';
const licenses = workerLicenses(LICENSES);

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    themeTokens(),
    messageChunks(),
    reactAriaLanguages(),
    firstScript('src/theme/first-paint.ts'),
    compressFiles(),
    licenses.page,
  ],
  // Bundled from its sources, so that a build needs no other build first. React Aria has the export condition "source" too.
  resolve: {
    alias: [
      { find: '@sluice/client', replacement: source('../client/src/index.ts') },
      // A third of the client would be a part of the first load.
      {
        find: /^\.\/(?:downloads\/download|results\/kept-result)\.ts$/,
        replacement: source('build/unused-client-parts.ts'),
      },
      ...contractModules,
      { find: '@sluice/audit/verify-in-browser', replacement: source('../audit/src/verify-in-browser.ts') },
      { find: '@sluice/encoders/text-formats', replacement: source('../encoders/src/text-formats.ts') },
      // The verifier writes CSV cells only. The other encoders need Node.js.
      { find: '@sluice/encoders', replacement: source('../encoders/src/csv.ts') },
      // The only module of the verifier that needs Node.js.
      { find: /^\.{1,2}\/node-sha256\.ts$/, replacement: source('src/api/web-sha256.ts') },
    ],
  },
  worker: { format: 'es', plugins: () => [licenses.worker] },
  build: {
    outDir: 'dist/site',
    target: 'es2023',
    // A data: address needs an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: LICENSES },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
});
