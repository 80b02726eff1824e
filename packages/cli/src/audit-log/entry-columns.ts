import type { AuditEntry } from '@sluice/client';
import type { ListColumn } from '../output/print-list.ts';
import { formatTime, isoTime } from '../times/format-time.ts';

type TextField = 'query_id' | 'id' | 'request_id' | 'session_id' | 'address' | 'user_agent';

const inCsv = (name: TextField): ListColumn<AuditEntry> => ({
  title: name,
  isOnlyInCsv: true,
  cell: (entry) => entry[name],
});

/** Columns of a search of the audit log. */
export const ENTRY_COLUMNS: readonly ListColumn<AuditEntry>[] = [
  {
    title: 'Timestamp',
    isWhole: true,
    cell: ({ timestamp }) => formatTime(timestamp),
    value: ({ timestamp }) => isoTime(timestamp),
  },
  { title: 'User', cell: ({ user }) => user },
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Target', cell: ({ target }) => target },
  { title: 'Metadata', cell: ({ metadata }) => JSON.stringify(metadata) },
  ...(['query_id', 'id', 'request_id', 'session_id', 'address', 'user_agent'] as const).map(inCsv),
];
