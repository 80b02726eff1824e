export { createDatamapCounters, type DatamapCounters } from './datamap-counters.ts';
export { createDatamapStore, type DatamapStore } from './datamap-store.ts';
export type {
  DatamapActor,
  DatamapContent,
  DatamapWrites,
  DescribedSql,
  RecordDatamap,
  StoredDatamap,
} from './datamap-writes.ts';
export {
  createPublishedDatamapStore,
  type PublishedDatamap,
  type PublishedDatamapStore,
} from './published-datamap-store.ts';
