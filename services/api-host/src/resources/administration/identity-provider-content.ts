import type { SecretBox } from '@sluice/auth';
import { type IdentityProviderRequest, ProblemError } from '@sluice/contract';
import type { IdentityProviderContent, StoredIdentityProvider } from '@sluice/store/administration';

const SCOPES_DEFAULT = ['openid', 'profile', 'email'];

/** Client of an issuer. A secret sealed for one client cannot be opened for another. */
interface SecretOwner {
  readonly tenantId: string;
  readonly issuer: string;
  readonly clientId: string;
}

/** Returns the context under which the secret of a client is encrypted. */
export const clientSecretContext = ({ tenantId, issuer, clientId }: SecretOwner): string =>
  `identity provider ${JSON.stringify([tenantId, issuer, clientId])}`;

/** Returns the secret in clear, to be sent to the provider only; null for a public client. */
export const openClientSecret = (
  box: Pick<SecretBox, 'open'>,
  tenantId: string,
  { issuer, clientId, clientSecretSealed }: StoredIdentityProvider,
): string | null =>
  clientSecretSealed === null
    ? null
    : box.open(clientSecretSealed, clientSecretContext({ tenantId, issuer, clientId }));

/** Returns the settings of a provider as in responses and audit records: all except the secret. */
export const presentProvider = (provider: IdentityProviderContent) => ({
  issuer: provider.issuer,
  client_id: provider.clientId,
  has_client_secret: provider.clientSecretSealed !== null,
  scopes: [...provider.scopes],
  email_claim: provider.emailClaim,
  groups_claim: provider.groupsClaim,
  role_mappings: provider.roleMappings.map(({ value, roles }) => ({ value, roles: [...roles] })),
  trust_email: provider.trustsEmail,
  create_users: provider.createUsers,
  return_to: [...provider.returnTo],
});

interface ProviderContent {
  readonly content: IdentityProviderContent;
  /** Decided here, because only here both secrets are in clear. */
  readonly isSecretChanged: boolean;
}

const missingSecret = (): ProblemError =>
  new ProblemError(
    'invalid_request',
    'The request is not valid: body.client_secret: is required, or null for a public client: no secret of this client is stored.',
    { details: [{ path: 'body.client_secret', message: 'is required: no secret of this client is stored' }] },
  );

/**
 * Returns the content that a request asks for. A request without a secret keeps the stored one, but only for the same issuer and
 * client: the secret must not be sent to another one. Throws `invalid_request`.
 */
export function providerContent(
  box: SecretBox,
  tenantId: string,
  {
    request,
    before,
  }: { readonly request: IdentityProviderRequest; readonly before: StoredIdentityProvider | undefined },
): ProviderContent {
  const { issuer, client_id: clientId, client_secret: secret } = request;
  const isSameClient = before !== undefined && before.issuer === issuer && before.clientId === clientId;
  if (secret === undefined && !isSameClient) throw missingSecret();
  const stored = isSameClient ? openClientSecret(box, tenantId, before) : undefined;
  const isSecretChanged = secret !== undefined && secret !== stored;
  const sealed = secret == null ? null : box.seal(secret, clientSecretContext({ tenantId, issuer, clientId }));
  return {
    isSecretChanged,
    content: {
      issuer,
      clientId,
      clientSecretSealed: isSecretChanged ? sealed : (before?.clientSecretSealed ?? null),
      scopes: request.scopes ?? SCOPES_DEFAULT,
      emailClaim: request.email_claim ?? 'email',
      groupsClaim: request.groups_claim ?? null,
      roleMappings: request.role_mappings ?? [],
      trustsEmail: request.trust_email ?? false,
      createUsers: request.create_users ?? false,
      returnTo: request.return_to ?? [],
    },
  };
}
