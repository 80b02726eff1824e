import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressFiles } from './build/compress-files.ts';
import { firstScript } from './build/first-script.ts';
import { themeTokens } from './build/theme-tokens.ts';
import { workerLicenses } from './build/worker-licenses.ts';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const LICENSES = 'third-party-licenses.md';
const licenses = workerLicenses(LICENSES);

export default defineConfig({
  base: '/console/',
  plugins: [react(), themeTokens(), firstScript('src/theme/first-paint.ts'), compressFiles(), licenses.page],
  // Bundled from its sources, so that a build needs no other build first. React Aria has the export condition "source" too.
  resolve: {
    alias: [
      { find: '@sluice/client', replacement: source('../client/src/index.ts') },
      {
        find: '@sluice/contract/metadata-files',
        replacement: source('../contract/src/catalog/metadata-files/index.ts'),
      },
      {
        find: '@sluice/contract/visible-text',
        replacement: source('../contract/src/fields/visible-text.ts'),
      },
      { find: '@sluice/contract/sql', replacement: source('../contract/src/queries/sql/index.ts') },
      { find: '@sluice/contract/audit-fields', replacement: source('../contract/src/audit/audit-fields.ts') },
      { find: '@sluice/audit/verify-in-browser', replacement: source('../audit/src/verify-in-browser.ts') },
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
