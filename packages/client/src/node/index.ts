export { receiptPathOf } from './publish-file.ts';
export { saveFile, toFile } from './to-file.ts';
