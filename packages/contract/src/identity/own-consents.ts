import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { defineOperations, FOR_OWN_ACCOUNT, jsonResponse } from '../operations/define-operations.ts';

const consent = z.object({
  id: z.string(),
  client_id: z.string(),
  name: z.string().describe('Name of the program'),
  home_page: z.string().nullable(),
  scopes: z
    .array(z.string())
    .nullable()
    .describe('What the program may ask for without a page. Null: all permissions of the caller'),
  session_count: z.int().min(0).describe('Open sessions of the caller with the program'),
  created_ts: epochMs,
  updated_ts: epochMs.describe('Time of the last consent to more scopes'),
});

const consents = z
  .object({ data: z.array(consent).describe('Sorted by the name of the program') })
  .meta({ id: 'OwnConsents' });

/** Programs to whose logins the caller has consented. */
export const ownConsentOperations = defineOperations('identity', FOR_OWN_ACCOUNT, {
  listOwnConsents: {
    endpoint: 'GET /me/consents',
    summary: 'List the registered programs that the caller has let log in, and which do not ask again',
    responses: { 200: jsonResponse('Consents', consents) },
  },
  withdrawConsent: {
    endpoint: 'DELETE /me/consents/{id}',
    summary: 'Withdraw a consent. The sessions of the caller with the program end, and its next login asks again',
    params: z.strictObject({ id: z.string() }),
    responses: { 204: { description: 'The consent is withdrawn' } },
    problems: ['not_found', 'audit_unavailable'],
  },
});
