import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { nameFilter, pageFields } from '../fields/page-query.ts';
import { newPassword } from '../identity/new-password.ts';
import { roleName, roleNames } from './admin-role.ts';
import { emailText, invitation } from './invitation.ts';

const disabled = z.boolean({ error: 'disabled must be true or false' });

export const userBody = z
  .strictObject({
    email: emailText('email'),
    roles: roleNames.optional().describe('Default: none'),
    password: newPassword('password').optional().describe('Without a password, the response contains an invitation'),
  })
  .meta({ id: 'UserRequest' });

export const userChangeBody = z
  .strictObject({ roles: roleNames.optional(), disabled: disabled.optional() })
  .refine(({ roles, disabled: off }) => roles !== undefined || off !== undefined, 'send roles, disabled or both')
  .meta({ id: 'UserChange', minProperties: 1 });

export const passwordResetBody = z
  .strictObject({
    password: newPassword('password').optional().describe('Without a password, the response contains an invitation'),
  })
  .meta({ id: 'PasswordReset' });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const SUBJECT = /^[^\u0000-\u001f\u007f]{1,255}$/;

export const identityLinkBody = z
  .strictObject({
    subject: z
      .string({ error: 'subject is required and must be a string' })
      .regex(SUBJECT, 'subject must have 1 to 255 characters, and no control characters')
      .refine((value) => value.isWellFormed(), 'subject must be well-formed Unicode')
      .describe("`sub` claim of the person at the tenant's identity provider"),
  })
  .meta({ id: 'IdentityLink' });

export const adminParams = z.strictObject({ id: z.string() });

const USER_STATES = ['active', 'invited', 'disabled'] as const;
const USER_SORT_KEYS = ['email', 'created_ts', 'last_login_ts'] as const;
/** Column by which users are listed. */
export type UserSortKey = (typeof USER_SORT_KEYS)[number];
/** State by which users are filtered. */
export type UserState = (typeof USER_STATES)[number];

export const usersQuery = z.strictObject({
  q: nameFilter.describe('Part of the e-mail; case is ignored'),
  role: roleName.optional().describe('Only users with this role'),
  state: z
    .enum(USER_STATES, { error: `state must be one of ${USER_STATES.join(', ')}` })
    .optional()
    .describe(
      '`invited`: has an invitation that is not accepted, also an expired one. `active`: neither of the others',
    ),
  sort_key: z
    .enum(USER_SORT_KEYS, { error: `sort_key must be one of ${USER_SORT_KEYS.join(', ')}` })
    .optional()
    .describe('Default: `email`. Users without a login sort before all others'),
  sort_value: z
    .enum(['asc', 'desc'], { error: 'sort_value must be asc or desc' })
    .optional()
    .describe('Default: `asc`'),
  ...pageFields,
});
export type UsersQuery = z.infer<typeof usersQuery>;

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    roles: z.array(z.string()),
    disabled: z.boolean(),
    has_password: z.boolean().describe('False until an invitation is accepted, and for users of an identity provider'),
    invitation_expires_ts: epochMs.nullable().describe('Expiry of the pending invitation'),
    last_login_ts: epochMs
      .nullable()
      .describe(
        'Last login, to five minutes. Null: none yet, or none since this was recorded. Requests with HTTP Basic do not count',
      ),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'User' });
export type UserRecord = z.infer<typeof user>;

export const users = z
  .object({ total: z.int().min(0), data: z.array(user).describe('In the order of `sort_key`, then by e-mail') })
  .meta({ id: 'Users' });

/** `invitation` is null if the request had a password. */
export const userWithInvitation = z
  .object({ ...user.shape, invitation: invitation.nullable() })
  .meta({ id: 'UserWithInvitation' });
