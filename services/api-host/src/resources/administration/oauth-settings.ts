import {
  apiOperations,
  callerOf,
  type OAuthSettings,
  type OAuthSettingsRequest,
  ProblemError,
  presentOAuthSettings,
} from '@sluice/contract';
import { contentTag, isMatched, json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

interface OAuthSettingsInput {
  readonly settings: OAuthSettingsRequest;
  /** Returns whether the settings are still those that the caller has read. Default: always. */
  readonly isCurrent?: (present: OAuthSettings) => boolean;
  /** Whether settings that stay the same are recorded. */
  readonly recordsSame: boolean;
}

interface OAuthSettingsChange {
  readonly before: OAuthSettings;
  readonly after: OAuthSettings;
  readonly isSame: boolean;
}

/** Replaces the settings of the logins of programs of a tenant. Throws `precondition_failed` if they were changed meanwhile. */
export async function saveOAuthSettings(
  tx: TenantTransaction,
  tenantName: string,
  { settings, isCurrent = () => true, recordsSame }: OAuthSettingsInput,
): Promise<OAuthSettingsChange> {
  const before = presentOAuthSettings(await tx.tenant.lockSettings());
  if (!isCurrent(before)) {
    throw new ProblemError('precondition_failed', 'The settings were changed meanwhile. Read them again.');
  }
  const isAllowed = settings.client_metadata_documents === 'allowed';
  const isSame = settings.client_metadata_documents === before.client_metadata_documents;
  if (isSame && !recordsSame) return { before, after: before, isSame };
  const after = presentOAuthSettings(await tx.tenant.setAllowsClientDocuments(isAllowed));
  const ended = isAllowed ? 0 : await tx.oauthClients.endDocumentSessions('unregistered programs refused');
  await tx.record('UPDATE_OAUTH_SETTINGS', tenantName, { before, after, ended_sessions: ended });
  return { before, after, isSame };
}

/** Everything below /admin/oauth-settings */
export const oauthSettingsRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.getOAuthSettings, async (request) => {
    const settings = await database.read(callerOf(request), async (tx) => {
      await tx.record('READ_OAUTH_SETTINGS', request.tenant.name);
      return presentOAuthSettings(await tx.tenant.settings());
    });
    return json(200, settings, { etag: contentTag(settings) });
  }),
  route(apiOperations.putOAuthSettings, async (request) => {
    const input: OAuthSettingsInput = {
      settings: request.body,
      isCurrent: (present) => isMatched(request.headers, contentTag(present)),
      recordsSame: true,
    };
    const save = (tx: TenantTransaction) => saveOAuthSettings(tx, request.tenant.name, input);
    const { after } = await database.change(callerOf(request), save);
    return json(200, after, { etag: contentTag(after) });
  }),
];
