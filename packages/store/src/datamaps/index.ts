export { createDatamapCounters, type DatamapCounters } from './datamap-counters.ts';
export type {
  DatamapAccount,
  DatamapContent,
  DatamapRepository,
  DescribedSql,
  StoredDatamap,
} from './datamap-repository.ts';
export { createDatamapStore, type DatamapStore } from './datamap-store.ts';
export {
  createPublishedDatamapStore,
  type PublishedDatamapStore,
} from './published-datamap-store.ts';
