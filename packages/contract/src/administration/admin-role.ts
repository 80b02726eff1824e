import { z } from 'zod';
import { listOf } from '../fields/list-of.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { PERMISSIONS, type Permission } from '../identity/permission.ts';

const NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]];
const NAMES_MESSAGE = `a permission must be one of ${NAMES.join(', ')}`;
const REMOVED = 'query:write';
const REMOVED_MESSAGE = `${REMOVED} was removed, because all statements are read-only; leave it out`;
const ROLES_MAX = 100;

/** Restricted to plain characters with one spelling, because grants, tokens and configuration files contain it. */
const ROLE_NAME = /^[a-z0-9](?:[a-z0-9_.-]{0,62}[a-z0-9])?$/;

export const roleName = z
  .string({ error: 'name must be a string' })
  .regex(ROLE_NAME, 'name must be 1 to 64 of a-z, 0-9 and ._-, and begin and end with a letter or digit');

/** Roles of a user or service account. */
export const roleNames = listOf(roleName, { error: 'roles must be an array of names of roles' })
  .max(ROLES_MAX, `roles must hold at most ${ROLES_MAX}`)
  .superRefine(uniqueEntries('roles', { keyOf: (name) => name }))
  .meta({ uniqueItems: true });

export const permissionList = listOf(
  z.enum(NAMES, { error: ({ input }) => (input === REMOVED ? REMOVED_MESSAGE : NAMES_MESSAGE) }),
  {
    error: 'permissions must be an array of permissions',
  },
)
  .max(NAMES.length, `permissions must hold at most ${NAMES.length}`)
  .superRefine(uniqueEntries('permissions', { keyOf: (name) => name }))
  .meta({ uniqueItems: true })
  .describe('Permissions of the users and service accounts with this role');

export const roleBody = z.strictObject({ name: roleName, permissions: permissionList }).meta({ id: 'RoleRequest' });

export const roleChangeBody = z.strictObject({ permissions: permissionList }).meta({ id: 'RoleChange' });
export const roleParams = z.strictObject({ name: z.string() });

export const role = z
  .object({
    name: z.string(),
    permissions: z.array(z.string()),
    user_count: z.int().min(0).describe('Users with this role'),
    service_account_count: z.int().min(0).describe('Service accounts with this role'),
    updated_ts: z.int().nullable().describe('Epoch milliseconds; null for an unchanged default role'),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'Role' });
export type RoleRecord = z.infer<typeof role>;

export const roles = z.object({ data: z.array(role).describe('Sorted by name') }).meta({ id: 'Roles' });
