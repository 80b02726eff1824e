export { createDatamapCounters, type DatamapCounters } from './datamap-counters.ts';
export { createDatamapStore, type DatamapStore } from './datamap-store.ts';
export type {
  DatamapActor,
  DatamapActor,
  DatamapContent,
  DatamapContent,
  DatamapWrites,
  DatamapWrites,
  DescribedSql,
  RecordDatamap,
  RecordDatamap,
  StoredDatamap,
  StoredDatamap,
} from './datamap-writes.ts';
export {
  createPublishedDatamapStore,
  type PublishedDatamap,
  type PublishedDatamapStore,
} from './published-datamap-store.ts';
