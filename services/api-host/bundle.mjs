/** Bundles the API host and the commands of operators to dist. */
import { bundlePrograms } from '../../deploy/bundles/bundle-programs.mjs';

const COMMANDS = ['audit', 'keys', 'migrate', 'tenant'].map((name) => `commands/${name}-main`);

await bundlePrograms({
  folder: new URL('.', import.meta.url),
  output: 'dist',
  // index is for programs that start the host in their own process.
  entries: Object.fromEntries(['main', 'index', ...COMMANDS].map((name) => [name, `src/${name}.ts`])),
});
