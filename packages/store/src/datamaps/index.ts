export { createDatamapCounters, type DatamapCounters } from './datamap-counters.ts';
export type { DatamapActor, DatamapContent, DescribedSql, StoredDatamap } from './datamap-repository.ts';
export { createDatamapStore, type DatamapStore } from './datamap-store.ts';
export type { DatamapWrites, RecordDatamap } from './datamap-writes.ts';
export {
  createPublishedDatamapStore,
  type PublishedDatamapStore,
} from './published-datamap-store.ts';
