import { AUDIT_ACTIONS, type AuditAction } from '@sluice/contract/audit-actions';

/** Actions that the log may contain, in groups of what they are about. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as readonly AuditAction[];

const isKnown = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action);

/** Returns the key of the sentence about an action: a later release of the hosts may record other ones. */
export const sentenceKey = (action: string) =>
  isKnown(action) ? (`audit.did.${action}` as const) : ('audit.did.other' as const);
