import type { FoundRecord } from '@sluice/store';

/** Two JSON objects as one; metadata and outcome of a query share no key (docs/audit-actions.md). */
const joined = (metadata: string, outcome: string): string => {
  if (metadata === '{}') return outcome;
  return outcome === '{}' ? metadata : `${metadata.slice(0, -1)}, ${outcome.slice(1)}`;
};

const textOf = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));

/**
 * A record as JSON text. The metadata goes from the database to the wire as it is: reading and writing it again would be most of
 * a page's cost, and would round numbers beyond 2^53.
 */
export const auditRecordText = (record: FoundRecord): string => {
  const { id, timestamp, user, action, target, metadata, outcome } = record;
  return (
    `{"timestamp":${timestamp},"user":${JSON.stringify(user)},"action":"${action}","target":${JSON.stringify(target)},` +
    `"metadata":${outcome === undefined ? metadata : joined(metadata, outcome)},"id":"${id}",` +
    `"request_id":${textOf(record.requestId)},"query_id":${textOf(record.queryId)},"session_id":${textOf(record.sessionId)},` +
    `"address":${textOf(record.address)},"user_agent":${textOf(record.userAgent)}}`
  );
};
