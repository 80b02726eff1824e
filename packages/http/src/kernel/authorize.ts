import { type Operation, type Permission, type Principal, ProblemError } from '@sluice/contract';

/** Authenticated request that was rejected, for the audit log. */
export interface Denial {
  readonly principal: Principal;
  readonly operation: Operation;
  /** Missing permission. Absent if the request was rejected for another reason. */
  readonly permission?: Permission;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Rejects a caller whose tenant is suspended or who lacks the permission of the operation. */
export function authorize(principal: Principal, operation: Operation): void {
  if (principal.tenant.state === 'suspended') throw new ProblemError('access_denied', 'This tenant is suspended.');
  const { permission } = operation;
  if (permission !== undefined && !principal.permissions.has(permission)) {
    throw new ProblemError('access_denied', `You need the permission ${permission} for this.`);
  }
}
