import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { keysetFields, keysetPage } from '../fields/page-query.ts';

export const sessionsQuery = z.strictObject(keysetFields);
export type SessionsQuery = z.infer<typeof sessionsQuery>;

const sessionEntry = z.object({
  id: z.string().describe('`sid` of its tokens'),
  kind: z.enum(['user', 'client']),
  account_id: z.string(),
  user: z.string().describe('E-mail address or client id'),
  issuer: z.string().nullable().describe('Identity provider of the login; null for a password or a client secret'),
  created_ts: epochMs,
  expires_ts: epochMs,
  current: z.boolean().describe('True for the session of this request'),
});

export const sessionsBody = keysetPage(sessionEntry).meta({ id: 'AdminSessions' });
export type AdminSessions = z.infer<typeof sessionsBody>;

export const sessionParams = z.strictObject({ id: z.string() });
