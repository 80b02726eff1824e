export { refreshSearch } from './search-refresh.ts';
export { createSearchStore, type SearchSort, type SearchStore } from './search-store.ts';
