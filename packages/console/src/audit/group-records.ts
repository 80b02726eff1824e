import type { AuditEntry } from '@sluice/client';
import type { OpenRecord } from './open-record.ts';

/** Record of a list. `isPart`: it belongs to the query of the record above it, such as its cancellation or a read of its result. */
export interface GroupedRecord {
  readonly entry: AuditEntry;
  readonly isPart: boolean;
}

/** Actions that start a query. Records of all other actions with its id are about the query and newer. */
const STARTS: ReadonlySet<string> = new Set([
  'RUN_QUERY',
  'DOWNLOAD_QUERY',
  'DOWNLOAD_DATAMAP',
  'DOWNLOAD_MARKETPLACE',
]);

const isStart = ({ action }: AuditEntry): boolean => STARTS.has(action);

/**
 * Returns the records of one query below each other, the query itself first, at the place of the first of them in the list. Records whose query
 * is not in the list, such as one of another page, have no head.
 */
export function groupByQuery(records: readonly AuditEntry[]): readonly GroupedRecord[] {
  const groups = new Map<string, AuditEntry[]>();
  for (const entry of records) {
    const key = entry.query_id ?? entry.id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flatMap((group) => {
    const head = group.find(isStart);
    const parts = group.filter((entry) => entry !== head).map((entry) => ({ entry, isPart: head !== undefined }));
    return head === undefined ? parts : [{ entry: head, isPart: false }, ...parts];
  });
}

/** Record of the live log. An outcome names the record of its query. */
type LiveEntry = AuditEntry & { readonly record_id?: string | null };

/**
 * Returns the records of the live log with each outcome in the record of its query, as a search has them. An outcome stays a record of its own if
 * that of its query is not in the list.
 */
export function joinOutcomes(records: readonly OpenRecord[]): readonly OpenRecord[] {
  const outcomes = new Map<string, OpenRecord>();
  const ids = new Set(records.map(({ entry }) => entry.id));
  // The newest outcome is valid, and comes first.
  for (const record of records) {
    const { record_id: id } = record.entry as LiveEntry;
    if (typeof id === 'string' && ids.has(id) && !outcomes.has(id)) outcomes.set(id, record);
  }
  return records
    .filter(({ entry }) => !ids.has((entry as LiveEntry).record_id ?? ''))
    .map((record) => {
      const outcome = outcomes.get(record.entry.id);
      if (outcome === undefined) return record;
      const metadata = { ...record.entry.metadata, ...outcome.entry.metadata };
      return { entry: { ...record.entry, metadata }, json: `${record.json}\n${outcome.json}` };
    });
}
