export { purgeResults, type ResultRecords, sweepResults } from './purge-results.ts';
export { BufferedUpload, type NotKeptReason } from './stores/buffered-upload.ts';
export { FolderResultStore } from './stores/folder-store.ts';
export {
  type OpenResult,
  ResultMissingError,
  type ResultStore,
  ResultStoreError,
  type ResultUpload,
  type StoredObject,
} from './stores/result-store.ts';
export { openS3Store } from './stores/s3-store.ts';
