export { receiptPathOf } from './publish-file.ts';
export { type FileTargetOptions, toFile } from './to-file.ts';
