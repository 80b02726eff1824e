export { receiptPathOf } from '../downloads/receipt-file.ts';
export { saveFile, toFile } from './to-file.ts';
