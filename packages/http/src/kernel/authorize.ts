import { type Operation, type Permission, type Principal, ProblemError } from '@sluice/contract';

/** An authenticated request that was refused, for the audit log. */
export interface Denial {
  readonly principal: Principal;
  readonly operation: Operation;
  /** Absent where the refusal is not for lack of a permission. */
  readonly permission?: Permission;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Refuses a caller whose tenant is suspended, or who lacks the permission of the operation. */
export function authorize(principal: Principal, operation: Operation): void {
  if (principal.tenant.state === 'suspended') throw new ProblemError('access_denied', 'This tenant is suspended.');
  const { permission } = operation;
  if (permission !== undefined && !principal.permissions.has(permission)) {
    throw new ProblemError('access_denied', `This needs the permission ${permission}, which you do not have.`);
  }
}
