export { refreshSearch } from './refresh-search.ts';
export { createSearchStore, type SearchSort, type SearchStore } from './search-store.ts';
