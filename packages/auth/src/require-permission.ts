import { PERMISSIONS, type Permission, type Principal, ProblemError } from '@sluice/contract';

/** Throws `access_denied` when the principal lacks the permission, or its tenant is suspended. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.tenant.state === 'suspended') throw new ProblemError('access_denied', 'This tenant is suspended.');
  if (principal.permissions.has(permission)) return;
  throw new ProblemError('access_denied', `This needs the permission ${permission} (${PERMISSIONS[permission]}).`);
}
