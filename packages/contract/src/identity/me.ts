import { z } from 'zod';
import type { CredentialKind, Operation } from '../operations/operation.ts';
import { limitFields } from './limits.ts';
import { PERMISSIONS, type Permission } from './permission.ts';

const permissions = Object.keys(PERMISSIONS) as [Permission, ...Permission[]];
const count = z.int().min(0);

const meBody = z
  .object({
    kind: z.enum(['user', 'client']),
    id: z.string().describe('Id of the account, `sub` of its tokens'),
    user: z.string().describe('E-mail address of a user, client id of a service account'),
    tenant: z.string(),
    roles: z.array(z.string()),
    permissions: z.array(z.enum(permissions)),
    has_password: z.boolean().describe('Whether the account has a password, which it can change'),
    session_expires_ts: z.int().nullable().describe('Epoch milliseconds. Null for Basic, which has no session'),
    limits: z.object({
      ...limitFields,
      console_keep: z
        .string()
        .nullable()
        .describe('`keep` with which the console runs queries, such as `24h`. Null: it keeps no results'),
      queued_per_user: count.describe('Maximum of waiting queries of one user'),
      queued_per_tenant: count.describe('Maximum of waiting queries of the tenant'),
      queue_timeout_ms: count.describe('Time that a query waits for a worker before it is rejected'),
    }),
    use: z
      .object({
        queries: count.describe('Running queries of the caller'),
        tenant_queries: count.describe('Running queries of the tenant'),
        queued: count.describe('Waiting queries of the caller'),
        tenant_queued: count.describe('Waiting queries of the tenant'),
      })
      .describe('Current use of the limits on all hosts. A query is counted as waiting after 300 ms'),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meBody>;

/** Creates the operation of a host, which differs only in the accepted credentials. */
export const meOperation = (credentials: readonly CredentialKind[]) =>
  ({
    id: 'getMe',
    subject: 'identity',
    method: 'GET',
    path: '/me',
    summary: 'Get the account, roles, permissions and limits of the caller',
    credentials,
    responses: { 200: { description: 'The caller', mediaType: 'application/json', schema: meBody } },
    problems: [],
  }) as const satisfies Operation;
