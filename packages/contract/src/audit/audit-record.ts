import type { Caller } from '../identity/caller.ts';
import type { AuditAction } from './audit-action.ts';
import { AUDIT_FIELDS, type AuditField } from './audit-fields.ts';

type InputField = Exclude<AuditField, { source: 'store' }>;
type RequiredText = Extract<InputField, { kind: 'text' | 'uuid'; isNullable: false }>;
type OptionalText = Extract<InputField, { kind: 'text' | 'uuid'; isNullable: true }>;

type RequiredTexts = { readonly [F in RequiredText as F['property']]: string };
type OptionalTexts = { readonly [F in OptionalText as F['property']]?: string };

/**
 * One recorded action. `user` is the e-mail address or client id of the account that acted, or the name that a failed login tried.
 * A record never holds a password, secret or token; it does hold SQL.
 */
export interface AuditRecord extends RequiredTexts, OptionalTexts {
  readonly action: AuditAction;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Part of a record that does not come from the caller. */
type AuditAct = Pick<AuditRecord, 'action' | 'target' | 'metadata' | 'queryId'>;

/** Returns the record of an action of a caller. */
export const auditOf = (caller: Caller, act: AuditAct): AuditRecord => {
  const context: Record<string, string> = {};
  for (const { property, source } of AUDIT_FIELDS) {
    const value = typeof source === 'function' ? source(caller) : undefined;
    if (value !== undefined) context[property] = value;
  }
  return { ...(context as unknown as AuditRecord), ...act };
};
