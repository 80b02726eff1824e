import { PERMISSIONS, type ProtectedResource, protectedResourceOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';

interface ProtectedResourceDependencies {
  readonly issuerOf: (tenantName: string) => string;
  /** Tenant of a host name that names none. */
  readonly tenantNameDefault: string | undefined;
}

/** GET /.well-known/oauth-protected-resource, on either host. */
export const protectedResourceRoute = ({ issuerOf, tenantNameDefault }: ProtectedResourceDependencies): Route =>
  route(protectedResourceOperations.protectedResourceMetadata, async ({ tenant, baseUrl }) => {
    const tenantName = tenant?.name ?? tenantNameDefault;
    const resource: ProtectedResource = {
      resource: baseUrl,
      ...(tenantName === undefined ? {} : { authorization_servers: [issuerOf(tenantName)] }),
      scopes_supported: Object.keys(PERMISSIONS),
      bearer_methods_supported: ['header'],
    };
    return json(200, resource);
  });
