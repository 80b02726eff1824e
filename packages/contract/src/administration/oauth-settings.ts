import { z } from 'zod';
import type { TenantSettings } from '../identity/principal.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';

const fields = {
  client_metadata_documents: z
    .enum(['allowed', 'refused'], { error: 'client_metadata_documents must be allowed or refused' })
    .describe(
      'Whether users may let programs log in that no admin registered, and whose client id is the https address of a document that describes them. Default: refused',
    ),
};

/** Settings of the logins of programs that a tenant chooses, as a request and a section of a configuration file have them. */
export const oauthSettingsBody = z.strictObject(fields).meta({ id: 'OAuthSettingsRequest' });
export type OAuthSettingsRequest = z.infer<typeof oauthSettingsBody>;

const oauthSettings = z.object(fields).meta({ id: 'OAuthSettings' });
export type OAuthSettings = z.infer<typeof oauthSettings>;

/** Converts the settings of a tenant to the form of responses and records. */
export const presentOAuthSettings = ({ allowsClientDocuments }: TenantSettings): OAuthSettings => ({
  client_metadata_documents: allowsClientDocuments === true ? 'allowed' : 'refused',
});

/** Settings of the logins of programs of the caller's tenant. */
export const oauthSettingsOperations = defineOperations('administration', FOR_ADMINS, {
  getOAuthSettings: {
    endpoint: 'GET /admin/oauth-settings',
    summary: 'Get whether users may let programs log in that no admin registered',
    responses: { 200: jsonResponse('Settings', oauthSettings) },
    problems: ['audit_unavailable'],
  },
  putOAuthSettings: {
    endpoint: 'PUT /admin/oauth-settings',
    summary:
      'Choose whether users may let programs log in that no admin registered. Refusing them ends the sessions of such programs',
    body: jsonBody(oauthSettingsBody),
    responses: { 200: jsonResponse('The new settings', oauthSettings) },
    problems: ['precondition_failed', 'audit_unavailable'],
  },
});
