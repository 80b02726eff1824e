import { z } from 'zod';
import { pageFields, partOfName } from '../fields/page-query.ts';
import { roleName, roleNames } from './admin-role.ts';
import { emailText, invitation, newPassword } from './invitation.ts';

const disabled = z.boolean({ error: 'disabled must be true or false' });

export const userBody = z
  .strictObject({
    email: emailText('email'),
    roles: roleNames.optional().describe('Default: none'),
    password: newPassword.optional().describe('Without one, the answer holds an invitation'),
  })
  .meta({ id: 'UserRequest' });
export type UserRequest = z.infer<typeof userBody>;

export const userChangeBody = z
  .strictObject({ roles: roleNames.optional(), disabled: disabled.optional() })
  .refine(({ roles, disabled: off }) => roles !== undefined || off !== undefined, 'name roles, disabled or both')
  .meta({ id: 'UserChange', minProperties: 1 });
export type UserChange = z.infer<typeof userChangeBody>;

export const passwordResetBody = z
  .strictObject({ password: newPassword.optional().describe('Without one, the answer holds an invitation') })
  .meta({ id: 'PasswordReset' });

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const SUBJECT = /^[^\u0000-\u001f\u007f]{1,255}$/;

export const identityLinkBody = z
  .strictObject({
    subject: z
      .string({ error: 'subject is required and must be a string' })
      .regex(SUBJECT, 'subject must have 1 to 255 characters, and no control characters')
      .refine((value) => value.isWellFormed(), 'subject must be well-formed Unicode')
      .describe('`sub` of the person at the identity provider of the tenant'),
  })
  .meta({ id: 'IdentityLink' });

export const adminParams = z.strictObject({ id: z.string() });

export const usersQuery = z.strictObject({
  q: partOfName.describe('Part of the e-mail, in whatever case'),
  role: roleName.optional().describe('Only those who have it'),
  ...pageFields,
});
export type UsersQuery = z.infer<typeof usersQuery>;

const epochMs = z.int().describe('Epoch milliseconds');

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    roles: z.array(z.string()),
    disabled: z.boolean(),
    has_password: z.boolean().describe('False until an invitation is accepted, and of who logs in elsewhere'),
    invitation_expires_ts: epochMs.nullable().describe('Of the invitation that is open'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'User' });
export type UserRecord = z.infer<typeof user>;

export const users = z
  .object({ total: z.int().min(0), data: z.array(user).describe('By e-mail') })
  .meta({ id: 'Users' });

/** `invitation` is null where a password was given. */
export const userWithInvitation = z
  .object({ ...user.shape, invitation: invitation.nullable() })
  .meta({ id: 'UserWithInvitation' });
