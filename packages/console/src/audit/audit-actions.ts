import { AUDIT_ACTIONS, type AuditAction } from '@sluice/contract/audit-actions';

/** Actions that the log may contain, in groups of what they are about. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as readonly AuditAction[];

/** Actions whose records say that something was rejected. */
export const REJECTIONS: ReadonlySet<string> = new Set([
  'ACCESS_DENIED',
  'AUTHORIZATION_CODE_REUSED',
  'LOGIN_FAILED',
  'REFRESH_TOKEN_REUSED',
]);

const isKnown = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action);

/** Part of a record on which its sentence depends. `record_id` is that of an outcome, which only the live log has as a record of its own. */
export interface DescribedRecord {
  readonly action: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly record_id?: string | null;
}

/** Returns the key of the sentence about a record: a later release of the hosts may record other actions. */
export function sentenceKey({ action, metadata, record_id: recordId }: DescribedRecord) {
  if (typeof recordId === 'string') return 'audit.did.ended' as const;
  if (!isKnown(action)) return 'audit.did.other' as const;
  // The same action is a list of catalogs, schemas or tables.
  return action === 'READ_CATALOG' && metadata['table'] === undefined
    ? ('audit.did.listed' as const)
    : (`audit.did.${action}` as const);
}
