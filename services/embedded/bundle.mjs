/** Bundles the program of `npm start`, with both hosts, the development identity provider and the reader of files to dist. */
import { bundlePrograms } from '../../deploy/bundles/bundle-programs.mjs';

await bundlePrograms({
  folder: new URL('.', import.meta.url),
  output: 'dist',
  entries: {
    main: 'src/main.ts',
    'identity-provider/main': 'src/identity-provider/main.ts',
    'files/main': 'src/files/main.ts',
    // Start parts of it in other programs: the bench, and the checks of deploy.
    index: 'src/index.ts',
    'postgres/index': 'src/postgres/index.ts',
  },
});
