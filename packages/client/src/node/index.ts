export { toFile } from './to-file.ts';
