// Lets the process that imports this module first load TypeScript sources, and the packages of this repository from theirs.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
