/** Bundles the hosts with their commands, the query worker and the command line, at the same time: one process of esbuild does the work. */
import { BUNDLED_FOLDERS } from './bundled-folders.mjs';

await Promise.all(BUNDLED_FOLDERS.map((folder) => import(`../../${folder}/bundle.mjs`)));
