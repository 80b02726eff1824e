import { z } from 'zod';
import { ANONYMOUS, defineOperations, jsonResponse } from '../operations/define-operations.ts';

const protectedResourceBody = z
  .object({
    resource: z.string().describe('Address of this host'),
    authorization_servers: z
      .array(z.string())
      .optional()
      .describe(
        'Issuer of the tenant of the host name. Absent if neither the host name nor the deployment names a tenant',
      ),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'ProtectedResourceMetadata' });
export type ProtectedResource = z.infer<typeof protectedResourceBody>;

/** Description of each host for OAuth clients. */
export const protectedResourceOperations = defineOperations('identity', ANONYMOUS, {
  protectedResourceMetadata: {
    endpoint: 'GET /.well-known/oauth-protected-resource',
    summary: 'Name the authorization server whose tokens this host accepts (RFC 9728)',
    responses: { 200: jsonResponse('Metadata', protectedResourceBody) },
  },
});
