import { isDeepStrictEqual } from 'node:util';
import type { OidcClient, SecretBox } from '@sluice/auth';
import {
  apiOperations,
  callerOf,
  type IdentityProviderRecord,
  type IdentityProviderRequest,
  invalidRequest,
  type ProblemDetail,
  ProblemError,
} from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredIdentityProvider } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { callbackUrl } from '../../request/callback-url.ts';
import type { BeginTestLogin } from '../../use-cases/identity/test-login.ts';
import { requireFound } from '../target.ts';
import { changeAccounts } from './accounts.ts';
import { presentProvider, providerContent } from './identity-provider-content.ts';

const WHAT = 'identity provider';

/** Checks the metadata of an issuer. Called before a transaction, because the issuer may be slow. Throws `invalid_request` with the reason. */
export async function checkIssuer(oidc: Pick<OidcClient, 'checkIssuer'>, issuer: string, path: string): Promise<void> {
  try {
    await oidc.checkIssuer(issuer);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_request') throw thrown;
    throw invalidRequest({ path, message: `issuer ${thrown.message}` }, { cause: thrown });
  }
}

/** Throws `invalid_request` for a mapping to a role that does not exist. */
async function requireMappedRoles(
  { roles }: TenantTransaction,
  { role_mappings: mappings = [] }: IdentityProviderRequest,
): Promise<void> {
  const unknown = new Set(await roles.unknown(mappings.flatMap((mapping) => mapping.roles)));
  const details: ProblemDetail[] = mappings.flatMap((mapping, index) =>
    mapping.roles.flatMap((name, position) =>
      unknown.has(name)
        ? [{ path: `body.role_mappings[${index}].roles[${position}]`, message: `there is no role ${name}` }]
        : [],
    ),
  );
  if (details.length === 0) return;
  throw new ProblemError('invalid_request', `There is no role ${[...unknown].join(', ')}. Create it first.`, {
    details,
  });
}

export interface ProviderChange {
  readonly before: StoredIdentityProvider | undefined;
  readonly after: StoredIdentityProvider;
  readonly isSame: boolean;
}

interface SaveProviderInput {
  readonly request: IdentityProviderRequest;
  /** Version that the caller has read; undefined accepts any version. */
  readonly version: number | undefined;
  /** Whether a request without a change is recorded too. */
  readonly recordsSame: boolean;
  readonly box: SecretBox;
}

/** Sets the provider. Throws `invalid_request` for unknown roles and for a missing secret, `not_found` and `precondition_failed`. */
export async function saveIdentityProvider(
  tx: TenantTransaction,
  { request, version, recordsSame, box }: SaveProviderInput,
): Promise<ProviderChange> {
  const before = await tx.identityProvider.find();
  if (version !== undefined) requireFound(before, { what: WHAT, version });
  await requireMappedRoles(tx, request);
  const { content, isSecretChanged } = providerContent(box, tx.tenantId, { request, before });
  const change = { before: before === undefined ? null : presentProvider(before), after: presentProvider(content) };
  const isSame = !isSecretChanged && isDeepStrictEqual(change.before, change.after);
  if (!isSame) await tx.identityProvider.put(content, tx.by);
  if (!isSame || recordsSame) {
    const metadata = { ...change, client_secret_changed: isSecretChanged };
    await tx.record('UPDATE_IDENTITY_PROVIDER', content.issuer, metadata);
  }
  return { before, after: requireFound(await tx.identityProvider.find(), { what: WHAT }), isSame };
}

/** Throws `not_found` and `precondition_failed`. */
async function removeIdentityProvider(tx: TenantTransaction, version: number | undefined): Promise<void> {
  const before = requireFound(await tx.identityProvider.find(), { what: WHAT, version });
  await tx.identityProvider.remove();
  await tx.record('DELETE_IDENTITY_PROVIDER', before.issuer, { before: presentProvider(before), after: null });
}

interface CallbackScope {
  readonly tenant: { readonly name: string };
  readonly baseUrl: string;
}

const presentRecord = (
  provider: StoredIdentityProvider,
  { tenant, baseUrl }: CallbackScope,
): IdentityProviderRecord => ({
  ...presentProvider(provider),
  callback_url: callbackUrl(baseUrl, tenant.name),
  updated_ts: provider.updated.getTime(),
  updated_by: provider.updatedBy,
});
const etag = ({ version }: StoredIdentityProvider) => ({ etag: entityTag(version) });

interface IdentityProviderContext {
  readonly database: ResourceDatabase;
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
  readonly beginTestLogin: BeginTestLogin;
}

/** /admin/identity-provider */
export const identityProviderRoutes = ({ database, oidc, box, beginTestLogin }: IdentityProviderContext): Route[] => [
  route(apiOperations.getIdentityProvider, async (request) => {
    const provider = await database.read(callerOf(request), async (tx) => {
      const found = requireFound(await tx.identityProvider.find(), { what: WHAT });
      await tx.record('READ_IDENTITY_PROVIDER', found.issuer);
      return found;
    });
    return json(200, presentRecord(provider, request), etag(provider));
  }),
  route(apiOperations.putIdentityProvider, async (request) => {
    await checkIssuer(oidc, request.body.issuer, 'body.issuer');
    const input = { request: request.body, version: matchedVersion(request.headers), recordsSame: true, box };
    const { after } = await changeAccounts(database, callerOf(request), (tx) => saveIdentityProvider(tx, input));
    return json(200, presentRecord(after, request), etag(after));
  }),
  route(apiOperations.deleteIdentityProvider, async (request) => {
    const version = matchedVersion(request.headers);
    await changeAccounts(database, callerOf(request), (tx) => removeIdentityProvider(tx, version));
    return noContent();
  }),
  route(apiOperations.testIdentityProvider, async (request) => {
    const { ticket, expiresTs } = await beginTestLogin(callerOf(request));
    const url = `${request.baseUrl}/auth/login/${request.tenant.name}?test=${ticket}`;
    return json(201, { url, expires_ts: expiresTs }, { 'cache-control': 'no-store' });
  }),
];
