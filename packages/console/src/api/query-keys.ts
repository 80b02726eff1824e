import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Keys of the cached responses of the host. Invalidating a key also invalidates every key that begins with it, so the keys of what one
 * change affects begin with the same word.
 */
export const QUERY_KEYS = {
  /** Lists of the administration. */
  admin: ['admin'],
  adminList: (list: string, search: object = {}) => ['admin', list, search],
  /** One object of the administration. It is not part of `admin`: another version would replace what is typed in its form. */
  adminRecord: (kind: string, id: object | string | undefined = undefined) => ['admin-record', kind, id],
  leftRun: (queryId: string) => ['left-run', queryId],
  receipt: (queryId: string) => ['receipt', queryId],
  roleHolders: (roles: readonly string[]) => ['admin-holders', ...roles],
  audit: (search: object) => ['audit', search],
  auditSummary: (by: string, span: string) => ['audit-summary', by, span],
  /** Counts of described tables, and lists of the others. */
  coverage: (from: number) => ['coverage', from],
  undescribed: (query: object) => ['coverage', 'undescribed', query],
  catalog: (names: readonly string[], prefix: string) => ['catalog', ...names, { prefix }],
  datamap: (id: string) => ['datamap', id],
  dependentItems: (datamapId: string) => ['dependent-items', datamapId],
  /** Names of all domains. Keys of their pages begin with the same word. */
  domains: ['domains'],
  domain: (id: string) => ['domains', 'one', id],
  domainList: (from: number) => ['domains', 'list', from],
  domainObjects: (id: string, from: number) => ['domains', 'objects', id, from],
  /** Facts about a kept result. */
  keptResult: (queryId: string) => ['kept-result', queryId],
  history: (filter: object) => ['query-history', filter],
  /** Items, their access and the requests for it. */
  market: ['market'],
  marketItems: (search: object) => ['market', 'items', search],
  marketItem: (id: string) => ['market', 'item', id],
  itemRequests: (id: string) => ['market', 'requests', 'item', id],
  requestCounts: ['market', 'requests', 'counts'],
  requestLists: ['market', 'requests', 'list'],
  ownRequests: ['market', 'requests', 'all-own'],
  requests: (list: string, from: number) => ['market', 'requests', 'list', list, from],
  /** Grants of an item. They are not part of `market`: a form edits them. */
  itemGrants: (id: string) => ['item-grants', id],
  unknownRecipient: (itemId: string, kind: string, name: string) => ['unknown-recipient', itemId, kind, name],
  me: ['me'],
  metadataChanges: (id: string) => ['metadata-changes', id],
  notificationSettings: ['notification-settings'],
  ownConsents: ['own-consents'],
  ownSessions: ['own-sessions'],
  publishedDatamaps: (searchText: string) => ['published-datamaps', searchText],
  /** Saved queries that the command palette finds. */
  foundQueries: (searchText: string) => ['saved-queries', 'found', searchText],
  savedQueries: (searchText?: string) => (searchText === undefined ? ['saved-queries'] : ['saved-queries', searchText]),
  running: ['running-queries'],
  search: (kind: string, searchText?: string) =>
    searchText === undefined ? ['search', kind] : ['search', kind, searchText],
  /** Parts of the first page of the editor. */
  start: (part: string, names: readonly string[] = []) => ['start', part, ...names],
  table: (names: readonly string[]) => ['table', ...names],
  tags: ['tags'],
  /** Loaded levels of the tree of tables. */
  tree: ['catalog-tree'],
  treeSearch: (searchText: string) => ['catalog-tree', 'search', searchText],
} as const;

/** Returns a function that reads responses with a key again. */
export function useInvalidate(queryKey: QueryKey): () => void {
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a key is the same for each render, and may be another array
  return useCallback(() => void queries.invalidateQueries({ queryKey }), [queries, ...queryKey]);
}
