import type { Caller, Permission } from '@sluice/contract';

/** Builds an authenticated user of the tenant acme, whose id is `t`. The e-mail is `<id>@example.com`. */
export const buildCaller = (id: string, permissions: readonly Permission[] = []): Caller => ({
  principal: {
    tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
    kind: 'user',
    id,
    name: `${id}@example.com`,
    roles: [],
    permissions: new Set(permissions),
    authenticatedAtMs: 0,
  },
  requestId: 'r',
  address: '192.0.2.1',
  userAgent: undefined,
});
