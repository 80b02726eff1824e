import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressFiles } from './build/compress-files.ts';
import { firstScript } from './build/first-script.ts';
import { themeTokens } from './build/theme-tokens.ts';

export default defineConfig({
  base: '/console/',
  plugins: [react(), themeTokens(), firstScript('src/theme/first-paint.ts'), compressFiles()],
  // Bundled from its sources, so that a build needs no other build first. React Aria has the export condition "source" too.
  resolve: {
    alias: {
      '@sluice/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)),
      '@sluice/contract/metadata-files': fileURLToPath(
        new URL('../contract/src/catalog/metadata-files/index.ts', import.meta.url),
      ),
      '@sluice/contract/yaml-items': fileURLToPath(
        new URL('../contract/src/catalog/metadata-files/yaml-items.ts', import.meta.url),
      ),
    },
  },
  build: {
    outDir: 'dist/site',
    target: 'es2023',
    // A data: address needs an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'third-party-licenses.md' },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
});
