export { type CallerUseStore, createCallerUseStore } from './caller-use-store.ts';
export { createHostStore, type HostStore } from './host-store.ts';
export type { StoredShare } from './kept-result-repository.ts';
export {
  createKeptResultStore,
  type KeptResult,
  type KeptResultName,
  type KeptResultStore,
  type RecordedStatement,
  type ViewableResult,
} from './kept-result-store.ts';
export {
  createQueryHistoryStore,
  type HistoryEntry,
  type QueryHistoryStore,
} from './query-history-store.ts';
export type { FailureDetails } from './query-mapper.ts';
export { createQueryStore, type FoundQuery, type QueryStore, type StopReason } from './query-store.ts';
export type { NewQuery, QueryEnd } from './query-writes.ts';
export { createWaitingQueryStore, type WaitingQueryRow, type WaitingQueryStore } from './waiting-query-store.ts';
