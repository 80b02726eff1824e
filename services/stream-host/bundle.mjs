/** Bundles the stream host to dist. */
import { bundlePrograms } from '../../deploy/bundles/bundle-programs.mjs';

await bundlePrograms({
  folder: new URL('.', import.meta.url),
  output: 'dist',
  // index is for programs that start the host in their own process.
  entries: { main: 'src/main.ts', index: 'src/index.ts' },
});
