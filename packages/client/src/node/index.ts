export { receiptPathOf } from './publish-file.ts';
export { toFile } from './to-file.ts';
