import { invalidPageToken, type PageTokens } from '@sluice/auth';
import {
  type Caller,
  PAGE_DEFAULT,
  type Principal,
  QUERY_KINDS,
  QUERY_STATES,
  type QueryHistory,
  type QueryHistoryEntry,
  type QueryHistoryQuery,
  type QueryKind,
  queryKindOf,
} from '@sluice/contract';
import type { HistoryEntry, QueryHistoryStore } from '@sluice/store/queries';
import { z } from 'zod';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';

interface ListQueryHistoryDependencies extends LiveCountsDependencies {
  readonly history: Pick<QueryHistoryStore, 'page'>;
  readonly pageTokens: PageTokens;
  readonly historyMs: number;
}

/**
 * Lists the caller's own queries and downloads on any host, newest first. Not recorded in the audit log. Throws `invalid_page_token`
 * for a token of another caller, or one that is sent with other filters than those of its first page.
 */
export type ListQueryHistory = (caller: Caller, query: QueryHistoryQuery) => Promise<QueryHistory>;

/** Kinds whose SQL the caller wrote. */
const SQL_ACTIONS = [QUERY_KINDS.QUERY, QUERY_KINDS.DOWNLOAD];

const pageState = z.strictObject({
  filters: z.strictObject({
    state: z.enum(QUERY_STATES).optional(),
    kind: z.string().optional(),
    since: z.int().optional(),
    until: z.int().optional(),
    q: z.string().optional(),
  }),
  after: z.strictObject({ startedMicros: z.string().regex(/^\d{1,18}$/), queryId: z.uuid() }),
});
type PageState = z.infer<typeof pageState>;
type Filters = PageState['filters'];

const ownerOf = ({ tenant, id }: Principal): string[] => ['query history', tenant.id, id];

const isKind = (name: string | undefined): name is QueryKind => name !== undefined && Object.hasOwn(QUERY_KINDS, name);

export function createListQueryHistory(dependencies: ListQueryHistoryDependencies): ListQueryHistory {
  const { history, pageTokens, historyMs } = dependencies;
  return async ({ principal }, { page_token: token, size = PAGE_DEFAULT, ...given }) => {
    const { filters, after } = await positionOf(pageTokens, { principal, token, given });
    const { entries, next } = await history.page({
      tenantId: principal.tenant.id,
      accountId: principal.id,
      sinceMs: Math.max(filters.since ?? 0, Date.now() - historyMs),
      untilMs: filters.until,
      state: filters.state,
      action: isKind(filters.kind) ? QUERY_KINDS[filters.kind] : undefined,
      text: filters.q,
      sqlActions: SQL_ACTIONS,
      after,
      size,
    });
    const data = await Promise.all(entries.map((entry) => presentEntry(dependencies, entry)));
    if (next === undefined) return { data };
    const state: PageState = { filters, after: next };
    return { data, next_page_token: await pageTokens.issue(state, ownerOf(principal)) };
  };
}

interface PositionInput {
  readonly principal: Principal;
  readonly token: string | undefined;
  readonly given: Filters;
}

/** Returns filters and position of a page. A page with a token may repeat the filters of the first page, but not change them. */
async function positionOf(
  pageTokens: PageTokens,
  { principal, token, given }: PositionInput,
): Promise<{ readonly filters: Filters; readonly after?: PageState['after'] }> {
  if (token === undefined) return { filters: given };
  const { data: state } = pageState.safeParse(await pageTokens.open(token, ownerOf(principal)));
  if (state === undefined) throw invalidPageToken();
  const keys = Object.keys(given) as (keyof Filters)[];
  if (keys.some((key) => given[key] !== undefined && given[key] !== state.filters[key])) throw invalidPageToken();
  return state;
}

async function presentEntry(
  dependencies: LiveCountsDependencies,
  { action, target, sql, ...entry }: HistoryEntry,
): Promise<QueryHistoryEntry> {
  const kind = queryKindOf(action);
  const isWritten = SQL_ACTIONS.some((written) => written === action);
  const live = entry.ended_ts === null ? await findLiveCounts(dependencies, entry.query_id) : undefined;
  return {
    query_id: entry.query_id,
    kind,
    sql: isWritten ? sql : null,
    item_id: kind === 'MARKETPLACE' ? target : null,
    datamap_id: kind === 'DATAMAP' ? target : null,
    parameters: entry.parameters,
    state: entry.state,
    rows: live?.rows ?? entry.rows,
    limited: entry.limited,
    bytes: live?.bytes ?? entry.bytes,
    started_ts: entry.started_ts,
    ended_ts: entry.ended_ts,
    error: entry.error,
    kept_until: entry.kept_until,
  };
}
