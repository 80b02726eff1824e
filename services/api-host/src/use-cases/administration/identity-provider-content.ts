import type { SecretBox } from '@sluice/auth';
import { type IdentityProviderRequest, ProblemError } from '@sluice/contract';
import type { IdentityProviderContent, StoredIdentityProvider } from '@sluice/store/administration';

const SCOPES_DEFAULT = ['openid', 'profile', 'email'];

/** Whose secret it is: sealed for one client of one issuer, it opens for no other. */
export interface SecretOwner {
  readonly tenantId: string;
  readonly issuer: string;
  readonly clientId: string;
}

const contextOf = ({ tenantId, issuer, clientId }: SecretOwner): string =>
  `identity provider ${JSON.stringify([tenantId, issuer, clientId])}`;

/** The secret in clear, for the provider alone. Null: a public client. */
export const openClientSecret = (
  box: Pick<SecretBox, 'open'>,
  tenantId: string,
  { issuer, clientId, clientSecretSealed }: StoredIdentityProvider,
): string | null =>
  clientSecretSealed === null ? null : box.open(clientSecretSealed, contextOf({ tenantId, issuer, clientId }));

/** What of a provider is answered and recorded: all but the secret. */
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

export interface WantedProvider {
  readonly content: IdentityProviderContent;
  /** Told from within alone: nobody outside can compare secrets. */
  readonly isSecretChanged: boolean;
}

const refuseMissingSecret = (): ProblemError =>
  new ProblemError(
    'invalid_request',
    'The request is not valid: body.client_secret: is required, or null for a public client: none is kept of this client.',
    { details: [{ path: 'body.client_secret', message: 'is required: none is kept of this client' }] },
  );

/**
 * What a request wants, with the secret that is kept where it names none: of the same issuer and client alone, for another would
 * be sent what is not its own. Throws `invalid_request`.
 */
export function wantedProvider(
  box: SecretBox,
  tenantId: string,
  { wish, before }: { readonly wish: IdentityProviderRequest; readonly before: StoredIdentityProvider | undefined },
): WantedProvider {
  const { issuer, client_id: clientId, client_secret: secret } = wish;
  const isSameClient = before !== undefined && before.issuer === issuer && before.clientId === clientId;
  if (secret === undefined && !isSameClient) throw refuseMissingSecret();
  const kept = isSameClient ? openClientSecret(box, tenantId, before) : undefined;
  const isSecretChanged = secret !== undefined && secret !== kept;
  const sealed = secret == null ? null : box.seal(secret, contextOf({ tenantId, issuer, clientId }));
  return {
    isSecretChanged,
    content: {
      issuer,
      clientId,
      clientSecretSealed: isSecretChanged ? sealed : (before?.clientSecretSealed ?? null),
      scopes: wish.scopes ?? SCOPES_DEFAULT,
      emailClaim: wish.email_claim ?? 'email',
      groupsClaim: wish.groups_claim ?? null,
      roleMappings: wish.role_mappings ?? [],
      trustsEmail: wish.trust_email ?? false,
      createUsers: wish.create_users ?? false,
      returnTo: wish.return_to ?? [],
    },
  };
}
