import { Counter, type Registry } from 'prom-client';

const AUTHENTICATION_EVENTS = [
  'login',
  'login_failed',
  'token_refreshed',
  'refresh_token_reused',
  'authorization_code_reused',
  'token_issued',
  'program_approved',
  'logout',
  'invitation_accepted',
  'password_changed',
] as const;
export type AuthenticationEvent = (typeof AUTHENTICATION_EVENTS)[number];

export interface SecurityMetrics {
  /** Has a value for every event from the start: Prometheus sees no increase in a series that begins with 1. */
  readonly authentications: Counter<'event'>;
  /** Passwords and secrets that were hashed and compared. Labels: `password`, `password_change`, `basic` or `client_secret`; `right` or `wrong`. */
  readonly secretChecks: Counter<'method' | 'outcome'>;
  readonly accessDenied: Counter<'permission'>;
  readonly auditFailures: Counter;
  /** Failed runs of the sealer. Each is repeated after a second. */
  readonly auditSealFailures: Counter;
  /** Changes of the audit chain that a sealer noticed and that no host made. */
  readonly auditTampering: Counter;
}

/** Creates the metrics of logins, rejected callers and audit records. */
export function createSecurityMetrics(registers: Registry[]): SecurityMetrics {
  const authentications = new Counter({
    name: 'sluice_authentications_total',
    help: 'Logins, tokens, refreshes and logouts',
    labelNames: ['event'],
    registers,
  });
  for (const event of AUTHENTICATION_EVENTS) authentications.inc({ event }, 0);
  return {
    authentications,
    secretChecks: new Counter({
      name: 'sluice_secret_checks_total',
      help: 'Passwords and client secrets that were hashed and compared',
      labelNames: ['method', 'outcome'],
      registers,
    }),
    accessDenied: new Counter({
      name: 'sluice_access_denied_total',
      help: 'Authenticated requests rejected for lack of a permission',
      labelNames: ['permission'],
      registers,
    }),
    auditFailures: new Counter({
      name: 'sluice_audit_failures_total',
      help: 'Audit records that could not be written',
      registers,
    }),
    auditSealFailures: new Counter({
      name: 'sluice_audit_seal_failures_total',
      help: 'Failed attempts to seal audit records, one a second',
      registers,
    }),
    auditTampering: new Counter({
      name: 'sluice_audit_tampering_total',
      help: 'Changes of the audit chain that no host made, as the sealer noticed them',
      registers,
    }),
  };
}
