/** Bundles the program of `npm start`, with both hosts, and the development identity provider to dist. */
import { bundlePrograms } from '../../deploy/bundles/bundle-programs.mjs';

await bundlePrograms({
  folder: new URL('.', import.meta.url),
  output: 'dist',
  entries: {
    main: 'src/main.ts',
    'identity-provider/main': 'src/identity-provider/main.ts',
    // Start parts of it in other programs: the bench, and the checks of deploy.
    index: 'src/index.ts',
    'postgres/index': 'src/postgres/index.ts',
  },
});
