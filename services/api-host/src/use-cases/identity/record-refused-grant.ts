import { ProblemError } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { FindProgram } from './find-program.ts';

/** `cause` of a refusal that another record names, such as that of the session which a reused code has ended. */
export const RECORDED_ALREADY = 'recorded already';

/** Codes of refusals. A device that waits for its user, or a host that is busy, refuses nothing. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'expired_token',
]);

const UNKNOWN = 'unknown';

export interface RefusedGrant {
  /** `grant_type` of the request. */
  readonly method: string;
  readonly clientId: string | undefined;
  readonly thrown: unknown;
}

/** Records why a program gets no tokens, once for each request, as LOGIN_FAILED. Does nothing for any other error. */
export type RecordRefusedGrant = (caller: AnonymousCaller, refused: RefusedGrant) => Promise<void>;

interface RecordRefusedGrantDependencies {
  readonly audit: Pick<AuditStore, 'append'>;
  readonly findProgram: FindProgram;
  /** Called for each refusal that is recorded. */
  readonly onRefused: (caller: AnonymousCaller, program: string) => void;
}

export const createRecordRefusedGrant =
  ({ audit, findProgram, onRefused }: RecordRefusedGrantDependencies): RecordRefusedGrant =>
  async (caller, { method, clientId = '', thrown }) => {
    if (!(thrown instanceof ProblemError) || !REFUSALS.has(thrown.code) || thrown.cause === RECORDED_ALREADY) return;
    const { tenant, origin } = caller;
    // A client id that is not known may be a secret in the wrong field.
    const program = (await findProgram(caller, clientId))?.id ?? UNKNOWN;
    onRefused(caller, program);
    const act = { user: UNKNOWN, action: 'LOGIN_FAILED', target: program } as const;
    await audit.append({ tenantId: tenant.id, ...act, metadata: { method, reason: thrown.message }, ...origin });
  };
