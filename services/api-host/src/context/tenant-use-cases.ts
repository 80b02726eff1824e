import type { Clock } from '@sluice/auth';
import type { OperatorStore } from '@sluice/store/administration';
import {
  createCreateTenant,
  createInviteAdmin,
  createRequestTenantRemoval,
  createResumeTenant,
  createSetEmailDomains,
  createSuspendTenant,
} from '../use-cases/administration/change-tenants.ts';
import { createMakeInvitation } from '../use-cases/administration/make-invitation.ts';

interface TenantUseCasesDependencies {
  readonly operator: OperatorStore;
  readonly invitationLifetimeMs: number;
  readonly now: Clock;
}

/** The finished use-cases by which an operator changes tenants, from a route or a command. */
export type TenantUseCases = ReturnType<typeof createTenantUseCases>;

export function createTenantUseCases({ operator, invitationLifetimeMs, now }: TenantUseCasesDependencies) {
  const makeInvitation = createMakeInvitation({ lifetimeMs: invitationLifetimeMs, now });
  return {
    createTenant: createCreateTenant({ operator, makeInvitation }),
    inviteAdmin: createInviteAdmin({ operator, makeInvitation }),
    setEmailDomains: createSetEmailDomains({ operator }),
    suspendTenant: createSuspendTenant({ operator }),
    resumeTenant: createResumeTenant({ operator }),
    requestTenantRemoval: createRequestTenantRemoval({ operator }),
  };
}
